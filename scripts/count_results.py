"""Counts the results in a Meson test log (one JSON object a line).

usage: count_results.py testlog.json

Prints "N passed, N failed, N skipped"; fails when a test failed or none passed. An expected failure has
passed; a result that is not known has failed. A test that prints its parts by TAP counts as its parts do, and once
more where it failed and none of them did.
"""

import json
import re
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
PLAN = re.compile(r"1\.\.[1-9][0-9]*\n")
PART = re.compile(r"^(not ok|ok)\b[^#\n]*(# *skip)?", re.MULTILINE | re.IGNORECASE)


def results_of(test):
    """The result of a test, or those of its parts."""
    output = test.get("stdout", "")
    if not PLAN.match(output):
        return [test["result"]]
    parts = ["SKIP" if skip else "OK" if word == "ok" else "FAIL" for word, skip in PART.findall(output)]
    if test["result"] not in PASSED | SKIPPED and "FAIL" not in parts:
        parts.append(test["result"])
    return parts


def main(path):
    passed = failed = skipped = 0
    try:
        with open(path, encoding="utf-8") as log:
            results = [result for line in log if line.strip() for result in results_of(json.loads(line))]
    except (OSError, ValueError, KeyError) as error:
        print(f"count_results: {path}: no test results ({error})", file=sys.stderr)
        results = []
    for result in results:
        if result in PASSED:
            passed += 1
        elif result in SKIPPED:
            skipped += 1
        else:
            failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
