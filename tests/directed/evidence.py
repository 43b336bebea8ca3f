#!/usr/bin/env python3
"""The table of evidence in docs/validation.md: what shows which sentence about which event.

Its rows are the lines "proves: 0xNN SENTENCE" of the tests. Every event that armpmu counts must
have one. A core's tests are in its folder, or are given with it.

usage: evidence.py --armpmu FILE --core NAME [--write DOCUMENT | --check DOCUMENT] TEST...
"""

import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BEGIN, END = "<!-- evidence: begin {} -->\n", "<!-- evidence: end {} -->\n"


def claims(path):
    """(event number, sentence) of each line of the test that claims to prove something."""
    with open(path, encoding="ascii") as file:
        lines = re.findall(r"^\s*(?:@|#|\*|/\*|//) proves: (0x[0-9A-F]{2,4}) (.+?)(?: \*/)?$",
                           file.read(), re.MULTILINE)
    return [(int(number, 16), sentence) for number, sentence in lines]


def read_events(armpmu, core):
    """Event number -> (name, fidelity) of the events that armpmu counts on a core."""
    listed = subprocess.run([armpmu, "list", "--core", core, "-j"], check=True,
                            stdout=subprocess.PIPE)
    return {int(event["EventCode"], 16): (event["EventName"], event["Fidelity"])
            for event in json.loads(listed.stdout) if event["Fidelity"] in ("exact", "modelled", "input")}


def table(events, tests):
    """The section's text, and the names of events without evidence."""
    rows = {}
    for path in tests:
        for number, sentence in claims(path):
            rows.setdefault(number, []).append((sentence, os.path.relpath(path, ROOT)))
    unknown = [f"0x{number:02X}" for number in rows.keys() - events.keys()]
    if unknown:
        raise SystemExit(f"evidence: {', '.join(unknown)} is claimed, but armpmu does not count it")
    lines = ["| Event | What is shown | By |\n", "|---|---|---|\n"]
    for number in sorted(rows):
        head = f"**0x{number:02X} `{events[number][0]}`** ({events[number][1]})"
        for sentence, path in sorted(rows[number]):
            lines.append(f"| {head} | {sentence} | `{path}` |\n")
            head = ""
    missing = [name for number, (name, _) in sorted(events.items()) if number not in rows]
    return "".join(lines), missing


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--armpmu", required=True)
    parser.add_argument("--core", required=True)
    parser.add_argument("--write", metavar="DOCUMENT")
    parser.add_argument("--check", metavar="DOCUMENT")
    parser.add_argument("tests", nargs="+")
    arguments = parser.parse_args()
    text, missing = table(read_events(arguments.armpmu, arguments.core), arguments.tests)
    if missing:
        print("no test proves anything about " + ", ".join(missing))
        return 1
    document = arguments.write or arguments.check
    if not document:
        sys.stdout.write(text)
        return 0
    with open(document, encoding="utf-8") as file:
        before = file.read()
    begin = BEGIN.format(arguments.core)
    start, end = before.index(begin) + len(begin), before.index(END.format(arguments.core))
    after = before[:start] + text + before[end:]
    if arguments.write:
        with open(document, "w", encoding="utf-8") as file:
            file.write(after)
    elif after != before:
        print(f"{document} does not have the table the tests make; "
              f"`ninja -C build evidence-{arguments.core}` writes it")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
