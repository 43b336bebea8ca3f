"""No file of src/ includes itself through others.

usage: cycles.py SOURCE_ROOT

First file by file, then by modules: X.c and X.h together, since what includes X.h depends on all of it. Fails at a
cycle, and without files.
"""

import re
import sys
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def module_of(path):
    return path.rpartition(".")[0]


def dependencies(files, name_of=module_of):
    """{module: modules it includes} of {path: text}; only files that are there. name_of: what is one."""
    modules = {name_of(path): set() for path in files}
    for path, text in files.items():
        included = {name_of(name) for name in INCLUDE.findall(text) if name in files}
        modules[name_of(path)] |= included - {name_of(path)}
    return modules


def reachable(modules, start):
    seen, waiting = set(), [start]
    while waiting:
        new = modules[waiting.pop()] - seen
        seen |= new
        waiting += new
    return seen


def cycles(modules):
    """Sets of modules that reach each other."""
    reach = {module: reachable(modules, module) for module in modules}
    return {frozenset(other for other in reach[module] if module in reach[other])
            for module in modules if module in reach[module]}


def main(root):
    source = Path(root, "src")
    files = {file.relative_to(source).as_posix(): file.read_text(encoding="utf-8")
             for suffix in ("c", "h", "def", "inc") for file in source.rglob(f"*.{suffix}")}
    found = cycles(dependencies(files, str)) | cycles(dependencies(files))
    for cycle in sorted(map(sorted, found)):
        print("include each other:", ", ".join(cycle))
    if not files:
        print(f"{source}: no files")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
