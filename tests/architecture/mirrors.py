"""Each source file of the library's and the models' folders has a test at the same path, or is in a list.

usage: mirrors.py SOURCE_ROOT

The test of src/FOLDER/NAME.c or .h is tests/FOLDER/NAME.c or .py. mirrors.list names the files without one; it may
only shrink: a file on it that has a test now, or is gone, must leave it, and a new file does not go on it. Many files on
it are tested through others, by directed programs and by commands. Fails without files, too.

Each directed program is named by a meson.build of its folders, without which no test runs it.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("parts", "pmu", "isa", "cosim", "trace", "profile", "export", "machine")
# Lines of mirrors.list. Lower it when one goes.
LIMIT = 94


def without_mirror(root):
    """(stems of all files, stems of those without a test), each as FOLDER/NAME."""
    stems = {path.relative_to(root / "src").with_suffix("").as_posix()
             for folder in FOLDERS for path in (root / "src" / folder).rglob("*.[ch]")}
    return stems, {stem for stem in stems
                   if not any((root / "tests" / f"{stem}.{end}").is_file() for end in ("c", "py"))}


def unnamed_programs(root):
    folder = root / "tests/directed"
    named = {word for file in folder.rglob("meson.build") for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    return [f"{path.relative_to(root)}: no meson.build names it, so no test runs it"
            for path in sorted(folder.rglob("*.s")) if path.stem not in named]


def complaints(root, listed, limit):
    stems, missing = without_mirror(root)
    if not stems:
        return [f"{root}: no files"]
    found = [f"{stem}: has no test; write tests/{stem}.c" for stem in sorted(missing - set(listed))]
    found += [f"{stem}: {'has a test' if stem in stems else 'is gone'}; take it off mirrors.list"
              for stem in sorted(set(listed) - missing)]
    if listed != sorted(set(listed)):
        found.append("mirrors.list: is not sorted, or has a line twice")
    if len(listed) != limit:
        found.append(f"mirrors.list: has {len(listed)} lines, LIMIT of mirrors.py says {limit}; it may only fall")
    return found + unnamed_programs(root)


if __name__ == "__main__":
    lines = Path(__file__).with_name("mirrors.list").read_text(encoding="utf-8").split()
    problems = complaints(Path(sys.argv[1]), lines, LIMIT)
    print("\n".join(problems) or f"{len(lines)} files without a test in the same place, as listed")
    sys.exit(1 if problems else 0)
