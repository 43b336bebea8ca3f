"""What the device library's objects need from outside, which names they share, and that they have no
state.

usage: objects.py NM SIZE FILE...
       objects.py --compile NM SIZE INCLUDE COMPILER [FLAG]... -- SOURCE...

Looks at object files and archives; with --compile at what the compiler makes of each source, with no
headers but its own (<stdint.h> and the like) and those below the ':'-separated INCLUDE folders. Fails
when they need a symbol that none of them has, memcpy and memset excepted, or when one has a section
.data or .bss that is not empty. Constant tables with pointers are in .data.rel.ro.
"""

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What the environment of a freestanding program has to provide (GCC says so of itself), and what the
# linker makes.
PROVIDED = {"memcpy", "memset", "_GLOBAL_OFFSET_TABLE_"}

# What the names of functions and tables begin with that objects share: an archive hides nothing, and an
# embedder has names of his own.
OWN_NAMES = ("armpmu_", "catalog_", "pmu_")

STATE_SECTIONS = (".data", ".bss", ".tdata", ".tbss", ".sdata", ".sbss")


def output_of(command):
    return subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE).stdout


def symbols(nm, files):
    """(name, kind) of each symbol of each object, as nm prints them."""
    for line in output_of([nm, "--format=posix", *files]).splitlines():
        words = line.split()
        if len(words) >= 2 and len(words[1]) == 1:
            yield words[0], words[1]


def needed_from_outside(nm, files):
    found = list(symbols(nm, files))
    defined = {name for name, kind in found if kind.isupper() and kind != "U"}
    needed = {name for name, kind in found if kind in "Uwv"}
    return sorted(needed - defined - PROVIDED)


def names_of_anybody(nm, files):
    shared = {name for name, kind in symbols(nm, files) if kind in "TRDBVW"}
    return sorted(name for name in shared if not name.startswith(OWN_NAMES))


def sections_with_state(size, files):
    """Says of each section with state how large it is, and in which object."""
    place = "?"
    for line in output_of([size, "-A", *files]).splitlines():
        words = line.split()
        if line.rstrip().endswith(":"):
            place = words[0]
        elif len(words) == 3 and words[1] != "0" and is_state(words[0]):
            yield f"{place}: {words[1]} bytes in {words[0]}"


def is_state(section):
    return not section.startswith(".data.rel.ro") and any(
        section == name or section.startswith(name + ".") for name in STATE_SECTIONS)


def complaints(nm, size, files):
    count = output_of([size, *files]).count("\n") - 1
    if count < 1:
        yield "no object to look at"
    for name in needed_from_outside(nm, files):
        yield f"needs {name}"
    for name in names_of_anybody(nm, files):
        yield f"shares the name {name}, which an embedder may have"
    yield from sections_with_state(size, files)


def compile_all(compiler, include, sources, folder):
    """The object of each source, in folder. The compiler's own headers are all it sees besides."""
    own = output_of([*compiler, "-print-file-name=include"]).strip()
    flags = ["-std=c11", "-ffreestanding", "-nostdinc", "-isystem", own,
             '-DARMPMU_VERSION="0"', *(f"-I{path}" for path in include.split(":"))]
    objects = [str(Path(folder, f"{number}-{Path(source).stem}.o"))
               for number, source in enumerate(sources)]

    def compile_one(pair):
        subprocess.run([*compiler, *flags, "-c", "-o", pair[1], pair[0]], check=True)

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(compile_one, zip(sources, objects)))
    return objects


def report(found, what):
    print("\n".join(found) or f"{what}: no state, and nothing needed but memcpy and memset")
    return 1 if found else 0


def main(arguments):
    if arguments[0] != "--compile":
        nm, size, *files = arguments
        return report(list(complaints(nm, size, files)), " ".join(files))
    dashes = arguments.index("--")
    nm, size, include, *compiler = arguments[1:dashes]
    with tempfile.TemporaryDirectory() as folder:
        objects = compile_all(compiler, include, arguments[dashes + 1:], folder)
        return report(list(complaints(nm, size, objects)), " ".join(compiler))


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except subprocess.CalledProcessError as failure:
        sys.exit(f"failed: {' '.join(failure.cmd)}")
