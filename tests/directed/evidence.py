#!/usr/bin/env python3
"""The page of evidence: what shows which sentence about which event of a core.

Its rows are the lines "proves: 0xNN SENTENCE" of the tests. Every event that armpmu counts must
have one.

usage: evidence.py --armpmu FILE [--out PAGE] --core NAME[,OTHER...] TEST... [--core NAME[,OTHER...] TEST...]

OTHER: a core that shares the tests. What they show of events that it alone has is no row of NAME.
"""

import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ABOUT = """# Evidence by event

One row a sentence: what a test shows of an event, and the test. `docs/validation.md` says how they work.
"""
COUNTED = ("exact", "modelled", "input")


def sentences(lines):
    """(event number, sentence) of each line that claims to prove something. In a C comment the
    sentence goes on until the next one, an empty line or the comment's end."""
    found, goes_on = [], False
    for line in lines:
        claim = re.match(r"\s*(?:@|#|\*|/\*|//) proves: (0x[0-9A-F]{2,4}) (.+)", line)
        more = re.match(r" \*\s+([^\s/].*)", line)
        if claim:
            found.append([int(claim[1], 16), claim[2].rstrip()])
        elif goes_on and more:
            found[-1][1] += " " + more[1].rstrip()
        goes_on = bool((claim and re.match(r"\s*/?\*", line)) or (goes_on and more))
        if goes_on and found[-1][1].endswith("*/"):
            found[-1][1] = found[-1][1].removesuffix("*/").rstrip()
            goes_on = False
    return [tuple(claim) for claim in found]


def claims(path):
    with open(path, encoding="ascii") as file:
        return sentences(file.read().splitlines())


def read_events(armpmu, core):
    """Event number -> (name, fidelity) of the events that armpmu counts on a core."""
    listed = subprocess.run([armpmu, "list", "--core", core, "-j"], check=True,
                            stdout=subprocess.PIPE)
    return {int(event["EventCode"], 16): (event["EventName"], event["Fidelity"])
            for event in map(json.loads, listed.stdout.splitlines()) if event["Fidelity"] in COUNTED}


def table(events, tests, others=()):
    """The core's table, and the names of events without evidence. others: numbers that only its relatives count."""
    rows = {}
    for path in tests:
        for number, sentence in claims(path):
            rows.setdefault(number, []).append((sentence, os.path.relpath(path, ROOT)))
    rows = {number: claimed for number, claimed in rows.items() if number in events or number not in others}
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
    parser.add_argument("--core", nargs="+", action="append", required=True)
    parser.add_argument("--out", metavar="PAGE")
    arguments = parser.parse_args()
    page, wrong = ABOUT, False
    for cores, *tests in arguments.core:
        core, *relatives = cores.split(",")
        others = {number for other in relatives for number in read_events(arguments.armpmu, other)}
        text, missing = table(read_events(arguments.armpmu, core), tests, others)
        if missing:
            print(f"{core}: no test proves anything about " + ", ".join(missing))
            wrong = True
        page += f"\n## {core}\n\n" + text
    if arguments.out and not wrong:
        with open(arguments.out, "w", encoding="utf-8") as file:
            file.write(page)
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
