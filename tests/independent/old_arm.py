#!/usr/bin/env python3
"""Programs for ARMv5TE, as an XScale runs them: instructions are those that a plugin counts one at a
time in the same run; exact events are the same on every machine; what always holds between the events
holds. Programs take turns in A32 and Thumb; with ARMPMU_TEST_LONG set each runs in both.

usage: old_arm.py ARMPMU COUNT_PLUGIN PROGRAMS_FOLDER EXAMPLES_FOLDER
"""

# proves: 0x07 on real programs the count equals that of a plugin that counts one by one

import glob
import os
import shutil
import subprocess
import sys
import tempfile

import counting
import guest
import inst_retired

COMPILER = "arm-linux-gnueabi-gcc"
BUILDS = {"A32": ["-marm"], "Thumb": ["-mthumb"]}
MACHINES = ["pxa255", "ixp425", "xscale-80200"]
LONG = "ARMPMU_TEST_LONG" in os.environ

# They take another path each time, or too long.
LEFT_OUT = {"threads", "matrix", "emulator_loop", "event_bus_tap", "amu_frame"}

EXACT = ("INSTRUCTION", "BRANCH", "PC_CHANGED", "DCACHE_ACCESS")

# Each is at most the other; NAME * n of it.
RELATIONS = [
    ("DCACHE_BUFFER_STALL", "DCACHE_BUFFER_STALL_CYCLES", 1),
    ("DCACHE_MISS", "DCACHE_ACCESS", 1),
    ("BRANCH_MISS", "BRANCH", 1),
    ("BRANCH", "INSTRUCTION", 1),
    ("PC_CHANGED", "INSTRUCTION", 1),
    ("DTLB_MISS", "DCACHE_ACCESS", 1),
    ("DCACHE_HALF_LINE_WRITE_BACK", "DCACHE_MISS", 2),
    ("L1I_CACHE_MISS", "ICACHE_NO_DELIVER_CYCLES", 1),
    ("INSTRUCTION", "CPU_CYCLES", 1),
]


def compile_program(source, out, flags):
    """False for what these instructions cannot do."""
    return subprocess.run([COMPILER, "-std=gnu11", "-march=armv5te", "-O2", "-static", *flags, "-w",
                           "-o", out, source, "-lm", "-pthread"], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def check_instructions(label, name, program, armpmu, plugin, scratch):
    """Messages about threads whose instructions the plugin counts otherwise."""
    out = os.path.join(scratch, "instructions")
    both = counting.Counter(armpmu, scratch, guest.qemu_with_plugin(scratch, plugin, out))
    got = inst_retired.armpmu_counts(both.run(program, machine=MACHINES[0], events="INSTRUCTION",
                                              per_thread=True))
    want = inst_retired.plugin_counts(out)
    if want:
        want[1, 1] -= inst_retired.FAULTS.get(name, 0)
    return [] if got == want and want else [f"{label}: armpmu counts {got}, the plugin {want}"]


def check_events(label, program, counter):
    """Messages about what cannot be."""
    wrong, first = [], None
    for machine in MACHINES:
        counts = counter.counts(program, machine=machine)
        first = first or counts
        wrong += [f"{label}: {name} is {counts[name]} on {machine}, {first[name]} on {MACHINES[0]}"
                  for name in EXACT if counts[name] != first[name]]
        wrong += [f"{label} on {machine}: {less} is {counts[less]}, {more} {counts[more]}"
                  for less, more, n in RELATIONS if counts[less] > n * counts[more]]
        wrong += [f"{label} on {machine}: {name} is 0" for name in (
            "L1I_CACHE_MISS", "DATA_STALL_CYCLES", "ITLB_MISS", "DTLB_MISS", "BRANCH_MISS",
            "DCACHE_MISS") if counts[name] == 0]
    return wrong


def main():
    armpmu, plugin, *folders = sys.argv[1:]
    missing = guest.missing_tools()
    if missing or not shutil.which(COMPILER):
        print(missing or f"{COMPILER} is not installed (Debian package gcc-arm-linux-gnueabi)")
        return guest.SKIPPED
    wrong, n = [], 0
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        counter = counting.Counter(armpmu, scratch)
        found = {folder: glob.glob(os.path.join(folder, "*.c")) for folder in folders}
        wrong += [f"{folder}: no programs" for folder in folders if not found[folder]]
        sources = sorted(source for folder in folders for source in found[folder])
        for number, source in enumerate(sources):
            name = os.path.basename(source)[:-2]
            for build in BUILDS if LONG else [list(BUILDS)[number % len(BUILDS)]]:
                flags, program = BUILDS[build], os.path.join(scratch, name)
                if name in LEFT_OUT or not compile_program(source, program, flags):
                    continue
                n += 1
                label = f"{name} in {build}"
                wrong += check_instructions(label, name, program, armpmu, plugin, scratch)
                wrong += check_events(label, program, counter)
    for message in wrong:
        print("WRONG", message)
    print(f"{n} programs")
    return 1 if wrong or n < (20 if LONG else 10) else 0


if __name__ == "__main__":
    sys.exit(main())
