"""Prints the section of a core's page in docs/events about the choices behind its counts: the rows of
docs/choices.md that name an event.

usage: rests_on.py ARMPMU CORE CHOICES.md
"""

import json
import re
import subprocess
import sys

# The sections of docs/choices.md whose event numbers are those of a core; without a row: those that
# name it.
SECTIONS = {
    "cortex-a8": r"Cortex-A8|cortex_a8|Issue schedule",
    "cortex-r4f": r"Cortex-R4F",
    "xscale1": r"XScale",
    "xscale2": r"XScale",
    "amuv1": r"[Aa]ctivity monitors",
}

ABOUT = """
## What the counts rest on

Exact events rest on the definition and on the decoder alone. Modelled ones rest on the core model and on the
machine file, whose values marked `assumed` are estimates (`armpmu list machine`, [machines](../../machines)).
Where the manual leaves an event open, this was decided, once, in [docs/choices.md](../choices.md):

| No. | Name | Left open | Chosen |
|---|---|---|---|
"""


def rows(path, sections):
    """(cells) of each row of the tables in some sections, headings left out."""
    wanted = False
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("## "):
                wanted = re.search(sections, line) is not None
            elif wanted and line.startswith("| ") and not line.startswith("| Question"):
                yield [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]


def numbers(text):
    """Event numbers in a text; those of a range with all between its ends."""
    for first, last in re.findall(r"\b0x([0-9A-Fa-f]+)\b(?: to 0x([0-9A-Fa-f]+)\b)?", text):
        yield from range(int(first, 16), int(last or first, 16) + 1)


def main():
    armpmu, core, choices = sys.argv[1:]
    listed = subprocess.run([armpmu, "list", "--core", core, "-j"], check=True,
                            stdout=subprocess.PIPE)
    events = {int(event["EventCode"], 16): event["EventName"]
              for event in map(json.loads, listed.stdout.splitlines()) if event["Fidelity"] != "reserved"}
    found = {}
    for cells in rows(choices, SECTIONS.get(core, re.escape(core))):
        text = " | ".join(cell for cell in cells if not re.fullmatch(r"`[a-z0-9-]+`", cell))
        for number in set(numbers(text)) & events.keys():
            found.setdefault(number, []).append(text)
    sys.stdout.write(ABOUT)
    for number in sorted(found):
        head = f"0x{number:02x} | `{events[number]}`"
        for text in found[number]:
            print(f"| {head} | {text} |")
            head = " | "


if __name__ == "__main__":
    main()
