"""Comments name only existing files: finds names that a rename left behind.

usage: file_names.py SOURCE_ROOT

Prints one line for each comment of src/ and include/ that names a file that does not exist; fails
when there is one, and without sources.
"""

import re
import sys
from pathlib import Path

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<comment>/\*.*?\*/|//[^\n]*)', re.DOTALL)
NAME = re.compile(r"(?<![\w/.-])((?:\w+/)*[a-z0-9_]+\.(?:c|h|def|py|inc))\b")

# Files of other projects, which sources are named by.
OTHERS = re.compile(r"^drivers/|^linux/|^hw/")


def exists(name, paths):
    return any(path == name or path.endswith("/" + name) for path in paths)


def complaints_about(path, text, paths):
    for token in TOKEN.finditer(text):
        for name in NAME.finditer(token["comment"] or ""):
            if not OTHERS.match(name[1]) and not exists(name[1], paths):
                line = text.count("\n", 0, token.start() + name.start()) + 1
                yield f"{path}:{line}: {name[1]} is not there"


def check(root):
    paths = [path.relative_to(root).as_posix() for path in root.rglob("*")
             if path.is_file() and not path.relative_to(root).parts[0].startswith((".", "build"))]
    sources = [path for path in paths if path.startswith(("src/", "include/"))
               and path.endswith((".c", ".h", ".def", ".inc"))]
    if not sources:
        return [f"{root}: no sources"]
    return [complaint for path in sorted(sources) for complaint in
            complaints_about(path, (root / path).read_text(encoding="utf-8"), paths)]


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "comments name files that are there")
    sys.exit(1 if found else 0)
