"""Choices that manuals leave open stand twice: marked in the code where they act, by CHOICE(name) in
a comment, and as a row in docs/choices.md that begins with the name.

usage: choices.py SOURCE_ROOT

Prints each name that stands on one side only; fails when there is one.
"""

import re
import sys
from pathlib import Path

MARK = re.compile(r"\bCHOICE\(([a-z0-9-]+)\)")
ROW = re.compile(r"^\| `([a-z0-9-]+)` \|", re.MULTILINE)


def check(root):
    marks = {}
    for file in sorted(Path(root, "src").rglob("*")):
        if file.suffix in {".c", ".h", ".def", ".inc"}:
            for name in MARK.findall(file.read_text(encoding="utf-8")):
                marks.setdefault(name, file.relative_to(root))
    rows = ROW.findall(Path(root, "docs/choices.md").read_text(encoding="utf-8"))
    complaints = [f"{file}: CHOICE({name}) has no row in docs/choices.md"
                  for name, file in marks.items() if name not in rows]
    complaints += [f"docs/choices.md: nothing in src is marked CHOICE({name})"
                   for name in rows if name not in marks]
    complaints += [f"docs/choices.md: {name} has {rows.count(name)} rows"
                   for name in sorted(set(rows)) if rows.count(name) > 1]
    return complaints


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "every choice is marked and explained")
    sys.exit(1 if found else 0)
