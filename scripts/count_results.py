"""Counts the results in a Meson test log (one JSON object a line).

usage: count_results.py testlog.json

Prints "N passed, N failed, N skipped"; fails when a test failed or none passed. An expected failure has
passed; a result that is not known has failed.
"""

import json
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def main(path):
    passed = failed = skipped = 0
    try:
        with open(path, encoding="utf-8") as log:
            results = [json.loads(line)["result"] for line in log if line.strip()]
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
