"""Checks which folders a folder may include: the arrows of docs/design.md.

usage: includes.py SOURCE_ROOT

Prints one line for each #include that turns an arrow back; fails when there is one, and without sources.
"""

import re
import sys
from pathlib import Path

# A folder, and what its files may include besides their own folder. The longest folder that
# matches decides. A name ending in '/' allows the folder, any other name one header.
MODEL = ["armpmu/", "base/", "machine/machine.h", "machine/core_descriptor.h", "isa/", "parts/",
         "trace/"]
ARROWS = {
    "include/armpmu": ["armpmu/"],
    "src/base": ["armpmu/"],
    "src/catalog": ["armpmu/", "base/"],
    "src/pmu": ["armpmu/", "catalog/cores.def"],
    "src/machine": ["armpmu/", "base/", "catalog/", "built_in_machines.h"],
    "src/isa": ["armpmu/", "base/"],
    "src/parts": ["armpmu/", "base/", "machine/machine.h", "isa/"],
    "src/trace": ["armpmu/", "base/", "isa/", "parts/"],
    "src/cores": MODEL + ["cores/core.h", "cores/descriptor.h", "cores/several.h", "cores/sharing.h", "cores/slices.h"],
    "src/cosim": ["armpmu/", "base/", "isa/insn.h", "isa/system_insn.h"],
    "src/qemu": ["armpmu/", "base/", "cosim/"],
    "src/qemu/ring": ["armpmu/", "base/"],
    "src/qemu/launcher": ["armpmu/", "base/", "cores/several.h", "cores/sharing.h", "cores/slices.h", "machine/core_descriptor.h", "machine/later_core.h",
                          "cosim/", "isa/insn.h",
                          "isa/system_insn.h",
                          "trace/trace_file.h", "trace/trace_frame.h", "trace/trace_reader.h", "trace/trace_temporary.h",
                          "qemu/engine.h", "qemu/ring/layout.h", "qemu/ring/ring.h",
                          "qemu/sysroot.h"],
    "src/qemu/plugin": ["armpmu/", "base/", "machine/core_descriptor.h", "cosim/",
                        "isa/block_store.h", "isa/insn.h", "isa/system_insn.h", "qemu/ring/layout.h",
                        "qemu/ring/writer.h", "qemu/sysroot.h"],
    "src/unicorn": ["armpmu/", "base/", "machine/core_descriptor.h", "machine/later_core.h", "cosim/", "isa/block_store.h",
                    "isa/insn.h", "isa/system_insn.h"],
    "src/profile": ["armpmu/", "base/", "catalog/cores.def"],
    "src/release": ["base/"],
    "src/export": ["armpmu/", "base/", "isa/decoder.h", "profile/", "html_parts.h", "pprof.pb-c.h"],
    "src/cli": ["armpmu/", "base/", "catalog/names.h", "isa/decoder.h", "machine/core_descriptor.h", "machine/cures.def",
                "machine/machine.def",
                "calibrate_program.h", "sweep_shard.h", "profile/", "export/", "trace/trace_file.h",
                "trace/trace_temporary.h", "qemu/engine.h", "qemu/launcher/trace_slices.h", "cosim/core_registers.def",
                "unicorn/firmware_run.h"],
}

# A library, and the only folders or files that know it.
LIBRARIES = {
    "capstone/": "src/isa",
    "ini.h": "src/machine",
    "jansson.h": "src/cli",
    "libfdt.h": "src/cli",
    "gelf.h": "src/base/elf_file.c",
    "libelf.h": "src/base/elf_file.c",
    "sqlite3.h": "src/profile",
    "elfutils/": "src/profile",
    "dwarf.h": "src/profile",
    "libiberty/": "src/profile",
    "zlib.h": ("src/export/pprof.c", "src/trace/trace_frame.c"),
    "zstd.h": "src/trace",
    "zstd_errors.h": "src/trace",
    "unicorn/unicorn.h": "src/unicorn",
}

# Words that a folder must not know: the core models speak of signals, never of events.
UNKNOWN_WORDS = {
    "src/trace": r"\barmpmu_event\w*|\bARMPMU_EVENT\w*",
    "src/cores": r"\barmpmu_event\w*|\bARMPMU_EVENT\w*",
    "src/parts": r"\barmpmu_event\w*|\bARMPMU_EVENT\w*|\barmpmu_signal\w*|\bARMPMU_SIGNAL\w*",
    "src/isa": r"\barmpmu_event\w*|\bARMPMU_EVENT\w*|\barmpmu_signal\w*|\bARMPMU_SIGNAL\w*",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+(["<])([^">]+)[">]', re.MULTILINE)


def matches(include, allowed):
    return include.startswith(allowed) if allowed.endswith("/") else include == allowed


def folder_rule(path):
    """The longest folder of ARROWS that holds the file, or None."""
    holders = [folder for folder in ARROWS if path.startswith(folder + "/")]
    return max(holders, key=len, default=None)


def one_model(path):
    """The folder of the core model that the file is of, or None: models know nothing of each other."""
    found = re.match(r"src/cores/\w+(?=/)", path)
    return found and found.group()


def own_names(folder):
    """How the folder's own headers are named in an #include."""
    return folder.removeprefix("src/").removeprefix("include/") + "/"


def wrong_includes(path, text):
    folder = folder_rule(path)
    if folder is None:
        yield f"{path}: no rule for its folder; add one to tests/architecture/includes.py"
        return
    allowed = ARROWS[folder] + [own_names(one_model(path) or folder)]
    for quote, name in INCLUDE.findall(text):
        if quote == '"' and not any(matches(name, entry) for entry in allowed):
            yield f'{path}: includes "{name}"; {folder} may include {", ".join(allowed)}'
        for library, owner in LIBRARIES.items():
            owners = (owner,) if isinstance(owner, str) else owner
            if matches(name, library) and not (path + "/").startswith(tuple(o + "/" for o in owners)):
                yield f"{path}: includes <{name}>, which only {' and '.join(owners)} may"


def wrong_words(path, text):
    for folder, pattern in UNKNOWN_WORDS.items():
        if path.startswith(folder + "/"):
            for word in sorted(set(re.findall(pattern, text))):
                yield f"{path}: says {word}; {folder} must not know it"


def check(root):
    """All complaints about the C sources under include/ and src/, in a fixed order."""
    complaints = []
    for top in ("include", "src"):
        files = sorted((root / top).rglob("*.[ch]"))
        if not files:
            complaints.append(f"{root / top}: no sources")
        for file in files:
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            complaints += wrong_includes(path, text)
            complaints += wrong_words(path, text)
    return complaints


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "every arrow points the right way")
    sys.exit(1 if found else 0)
