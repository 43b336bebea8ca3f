"""One word, one meaning: no struct, union, enum or macro with two definitions.

usage: names.py SOURCE_ROOT

Prints one line for each name that two files of include/ and src/ define; fails when there is one, and
without sources. A macro that its file undefines again is a column of a table there, one that an .inc
file undefines is that file's parameter: both are no names of the tree; nor is the guard of a header.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

COMMENT_OR_STRING = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
TAG = re.compile(r"\b(struct|union|enum)\s+(?:__attribute__\s*\(\(.*?\)\)\s*)?(\w+)\s*\{")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.MULTILINE)
UNDEFINED = re.compile(r"^[ \t]*#[ \t]*undef[ \t]+(\w+)", re.MULTILINE)
GUARD = re.compile(r"\A\s*#[ \t]*ifndef[ \t]+(\w+)\s*#[ \t]*define[ \t]+\1\b")


def without_comments(text):
    """Comments and strings become blanks; the name of an #include does, too."""
    return COMMENT_OR_STRING.sub(lambda found: " " * (found.group()[0] == "/"), text)


def names_of(text):
    """What the text of a file defines: pairs of 'struct x' and the name that must be the only one.

    Tags have one name space in C, so that 'enum kind' is no other word than 'struct kind'."""
    text = without_comments(text)
    guard = GUARD.search(text)
    own = set(UNDEFINED.findall(text)) | ({guard.group(1)} if guard else set())
    for kind, name in TAG.findall(text):
        yield f"{kind} {name}", ("tag", name)
    for name in MACRO.findall(text):
        if name not in own:
            yield f"macro {name}", ("macro", name)


def check(root):
    texts = {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8")
             for top in ("include", "src") for file in sorted((root / top).rglob("*"))
             if file.suffix in (".c", ".h", ".def", ".inc")}
    parameters = {("macro", name) for file, text in texts.items() if file.endswith(".inc")
                  for name in UNDEFINED.findall(text)}
    holders = defaultdict(dict)
    for file, text in texts.items():
        for spelled, name in names_of(text):
            holders[name].setdefault(file, spelled)
    complaints = [] if texts else [f"{root}: no sources"]
    for name in sorted(holders, key=lambda name: (name[1], name[0])):
        if len(holders[name]) > 1 and name not in parameters:
            places = "; ".join(f"{spelled} in {file}" for file, spelled in holders[name].items())
            complaints.append(f"{name[1]}: {places}: one name has one meaning, in one file")
    return complaints


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "every name has one definition")
    sys.exit(1 if found else 0)
