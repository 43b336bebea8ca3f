"""No file of src/ includes itself through others.

usage: cycles.py SOURCE_ROOT

First file by file, then by modules: X.c and X.h together, since what includes X.h depends on all of it. Of modules
two cycles are known: parts of one state whose sources see the whole of it. They may lose modules, and
then the list here must, too. Fails at any other cycle, and without files.
"""

import re
import sys
from pathlib import Path

KNOWN = {
    frozenset("unicorn/" + part for part in (
        "board", "code_block", "firmware", "it_block", "limits", "overwritten", "page_records",
        "processor", "semihosting", "stimulus", "unicorn_it_workaround")),
}
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
    modules = cycles(dependencies(files))
    found = cycles(dependencies(files, str)) | modules - KNOWN
    for cycle in sorted(map(sorted, found)):
        print("include each other:", ", ".join(cycle))
    for cycle in sorted(map(sorted, KNOWN - modules)):
        print("known, and gone or changed:", ", ".join(cycle))
    if not files:
        print(f"{source}: no files")
    return 1 if found or KNOWN - modules or not files else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
