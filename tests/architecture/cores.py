"""Only these files may name a core: its own, the registry src/catalog/cores.def, and the few listed here.

usage: cores.py SOURCE_ROOT

Comments may speak of cores; code and its texts ask a core's descriptor instead. Prints one line for each file that
names one; fails when there is one, and without a registry.
"""

import re
import sys
from pathlib import Path

ROW = re.compile(r'^CORE\("([^"]+)",\s*(\w+),\s*(\w+),\s*(\w+)\)$', re.MULTILINE)
# A text, which is kept, or a comment.
COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|/\*.*?\*/|//[^\n]*', re.DOTALL)

# Files that name a core and are none of its own, with the reason.
ALLOWED = {
    "src/catalog/cores.def": "the registry",
    "src/cli/bench/program.c": "for the board's compiler, and what of it is for which core",
    "src/cli/bench/calibrate.c": "examples in the help text",
    "src/cli/catalog/dtb.c": "examples in the help text",
    "src/cli/run/guest.c": "examples in the help text",
    "src/cli/catalog/list.c": "examples in the help text",
    "src/cli/catalog/regs.c": "examples in the help text",
    "src/cli/run/run.c": "examples in the help text",
    "src/cli/options.h": "examples in the help text",
    "src/qemu/plugin/guest64.c": "an example in a message: a CPU of QEMU",
    "src/unicorn/library.c": "Unicorn's CPUs, whether a core of ours is one or not",
    "src/cosim/core_registers.def": "registers that each core has of its own",
    "src/machine/machine.def": "what a key of machine files means, for people",
    "include/armpmu/pin.def": "what a pin is, for people",
    "include/armpmu/output.def": "what a line is, for people",
    "src/profile/attribution.def": "which instruction an event belongs to where a core differs, for people",
}


# Monitors that the architecture defines, for more cores than one.
ARCHITECTURE = ("amu", "pmuv3")


def words_of(rows):
    """What a core may be called: cortex-a8, cortex_a8, CORTEX_A8, Cortex-A8, XScale, neoverse."""
    words = {word.replace("_", "-") for name, _, monitor, model in rows
             for word in (name, monitor, model) if word not in ARCHITECTURE}
    return re.compile("|".join(rf"(?<![a-z0-9]){re.sub('-', '[-_ ]', word)}(?![0-9])"
                               for word in sorted(words, key=len, reverse=True)), re.IGNORECASE)


def own_files(rows):
    for _, core, monitor, model in rows:
        yield from (rf"src/catalog/{core}\.", rf"src/catalog/{model}_", rf"src/pmu/{monitor}\.",
                    rf"src/cores/{model}/")


def code_of(text):
    return COMMENT.sub(lambda found: found.group(1) or " ", text)


def check(root):
    registry = root / "src/catalog/cores.def"
    rows = ROW.findall(registry.read_text(encoding="utf-8")) if registry.exists() else []
    if not rows:
        return [f"{registry}: no cores"]
    words, own = words_of(rows), re.compile("|".join(own_files(rows)))
    complaints = []
    for file in sorted(file for top in ("src", "include") for file in (root / top).rglob("*")
                       if file.is_file()):
        path = file.relative_to(root).as_posix()
        code = file.read_text(encoding="utf-8")
        found = words.search(code if path.endswith("meson.build") else code_of(code))
        if found and path not in ALLOWED and not own.match(path):
            complaints.append(f"{path}: names {found.group()}; ask its descriptor "
                              "(src/machine/core_descriptor.h), or list the file with a reason in "
                              "tests/architecture/cores.py")
        if not found and path in ALLOWED:
            complaints.append(f"{path}: names no core any more; remove it from "
                              "tests/architecture/cores.py")
    return complaints


if __name__ == "__main__":
    complaints_found = check(Path(sys.argv[1]))
    print("\n".join(complaints_found) or "only its own files and the registry name a core")
    sys.exit(1 if complaints_found else 0)
