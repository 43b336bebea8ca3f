#!/usr/bin/env python3
"""Instructions, branches, loads and stores of AArch64 programs on a Neoverse, against a plugin that looks at each
instruction's word by itself, in the same run.

usage: kinds_retired.py ARMPMU KINDS_PLUGIN PROGRAMS_FOLDER [PROGRAM]...
"""

# proves: 0x08 on real programs the count equals that of a plugin that counts one by one
# proves: 0x21 on real programs the count equals that of a plugin that knows branches by their words
# proves: 0x70 on real programs the count equals that of a plugin that knows loads by their words
# proves: 0x71 on real programs the count equals that of a plugin that knows stores by their words

import glob
import os
import sys
import tempfile

import counting
import guest

EVENTS = ("INST_RETIRED", "BR_RETIRED", "LD_SPEC", "ST_SPEC")
# Several processes or threads, or instructions that fault: the plugin is for one that has none.
LEFT_OUT = {"processes", "threads", "faults", "signals"}
BUILDS = {
    "static": ["-O2", "-static"],
    "with atomics": ["-O3", "-static", "-march=armv8.2-a"],
}


def compare(label, program, armpmu, plugin, scratch):
    """Messages about what differs; none when all is equal."""
    out = os.path.join(scratch, "kinds")
    both = counting.Counter(armpmu, scratch, guest.qemu_with_plugin(scratch, plugin, out, guest.AARCH64))
    # A window of one entry has no room for wrong paths, which LD_SPEC and ST_SPEC count.
    counts = both.counts(program, events=",".join(EVENTS), machine="neoverse-n2", options=("--set", "window.entries=1"))
    with open(out, encoding="ascii") as file:
        want = tuple(map(int, file.read().split()))
    os.unlink(out)
    got = tuple(counts[event] for event in EVENTS)
    if got != want or 0 in want:
        return [f"{label}: {EVENTS}: armpmu counts {got}, the plugin {want}"]
    print(f"{label}: {want[0]} instructions, {want[1]} branches, {want[2]} loads, {want[3]} stores: equal")
    return []


def main(armpmu, plugin, folder, *chosen):
    missing = guest.missing_tools(target=guest.AARCH64)
    if missing:
        print(missing)
        return guest.SKIPPED
    wrong, n_compared = [], 0
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        for source in sorted(glob.glob(os.path.join(folder, "*.c"))):
            name = os.path.splitext(os.path.basename(source))[0]
            if name in LEFT_OUT or (chosen and name not in chosen):
                continue
            for build, flags in BUILDS.items():
                program = guest.compile_program(source, os.path.join(scratch, name), flags, guest.AARCH64)
                wrong += compare(f"{name} {build}", program, armpmu, plugin, scratch)
                n_compared += 1
    for message in wrong:
        print("WRONG", message)
    if n_compared < 10 and not chosen:
        print(f"{folder}: {n_compared} programs, ten are wanted")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
