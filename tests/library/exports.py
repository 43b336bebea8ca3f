"""The shared device library exports what its public headers declare, and nothing else.

usage: exports.py NM LIBRARY HEADER COMPILER [FLAG]...

Declared are the names that HEADER, with all it includes, marks ARMPMU_API. Fails at a name that is
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
    return {line.split()[0].partition("@")[0] for line in nm_output.splitlines()}


def complaints(exports, declarations):
    for name in sorted(exports | declarations):
        if name not in declarations:
            yield f"{name}: exported, but no public header declares it"
        elif name not in exports:
            yield f"{name}: declared, but not exported"
        if not name.startswith("armpmu_"):
            yield f"{name}: does not begin with armpmu_"


def main(nm, library, header, *compiler):
    exports = exported(output_of([nm, "-D", "--defined-only", "--format=posix", library]))
    declarations = declared(output_of([*compiler, "-E", "-P", header]))
    found = list(complaints(exports, declarations))
    if not exports or not declarations:
        found.append(f"{len(exports)} names exported, {len(declarations)} declared")
    print("\n".join(found) or f"{len(exports)} names are exported and declared")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
