"""Libraries export what their public headers declare, and nothing else.

usage: exports.py NM LIBRARY... HEADER... COMPILER [FLAG]...

A library is a shared one or an archive; what archives define for any linker counts as exported. Declared are
the names that a header, with all it includes, marks ARMPMU_API. Fails at a name that is
exported and not declared, declared and not exported, or does not begin with armpmu_.
"""

import re
import subprocess
import sys

# ARMPMU_API as the preprocessor leaves it, then a declaration up to its name.
DECLARATION = re.compile(r'__attribute__\(\(visibility\("default"\)\)\)([^;{]*?)(\w+)\s*[(;]')
OTHER_ATTRIBUTE = re.compile(r"__attribute__\(\((?!visibility)\w+\)\)")


def output_of(command, **more):
    return subprocess.run(command, text=True, check=True, stdout=subprocess.PIPE, **more).stdout


def declared(text):
    """The names that preprocessed text declares as part of the interface."""
    return {name for _, name in DECLARATION.findall(OTHER_ATTRIBUTE.sub("", text))}


def exported(nm_output):
    """The names without their versions; a version itself is an absolute symbol."""
    rows = [line.split() for line in nm_output.splitlines()]
    return {row[0].partition("@")[0] for row in rows if row[1] != "A"}


def complaints(exports, declarations):
    for name in sorted(exports | declarations):
        if name not in declarations:
            yield f"{name}: exported, but no public header declares it"
        elif name not in exports:
            yield f"{name}: declared, but not exported"
        if not name.startswith("armpmu_"):
            yield f"{name}: does not begin with armpmu_"


def names_of(nm, library):
    how = ["-g"] if library.endswith(".a") else ["-D"]
    lines = output_of([nm, *how, "--defined-only", "--format=posix", library])
    return exported(re.sub(r"^\S+:\n", "", lines, flags=re.MULTILINE))


def main(nm, *rest):
    libraries = [word for word in rest if re.search(r"\.(a|so[.\d]*)$", word)]
    headers = [word for word in rest if word.endswith(".h")]
    compiler = rest[len(libraries) + len(headers):]
    exports = set().union(*(names_of(nm, library) for library in libraries))
    declarations = set().union(*(declared(output_of([*compiler, "-E", "-P", header]))
                                 for header in headers))
    found = list(complaints(exports, declarations))
    if not exports or not declarations:
        found.append(f"{len(exports)} names exported, {len(declarations)} declared")
    print("\n".join(found) or f"{len(exports)} names are exported and declared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
