#!/usr/bin/env python3
"""Programs for ARMv5TE, as an XScale runs them: what the instruction stream alone decides is the same
on the Cortex-A8's model, which goes another way through the stream, and on both generations; what
always holds between the events holds.

usage: old_arm.py ARMPMU PROGRAMS_FOLDER EXAMPLES_FOLDER
"""

# proves: 0x07 real programs for ARMv5TE execute as many instructions as on a Cortex-A8
# proves: 0x0D on real programs what changes the PC is what does on a Cortex-A8
# proves: 0x05 on real programs immediate branches without BLX count

import glob
import os
import shutil
import subprocess
import sys
import tempfile

import counting
import guest

COMPILER = "arm-linux-gnueabi-gcc"
BUILDS = {"A32": ["-marm"], "Thumb": ["-mthumb"]}
MACHINES = ["pxa255", "ixp425", "xscale-80200"]

# They take another path each time, or too long.
LEFT_OUT = {"threads", "matrix", "emulator_loop", "event_bus_tap", "amu_frame"}

AS_CORTEX_A8 = {"INSTRUCTION": "INST_RETIRED", "PC_CHANGED": "PC_WRITE_RETIRED"}

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


def check(label, program, counter):
    """Messages about what is wrong."""
    wrong = []
    reference = counter.counts(program, machine="cortex-a8")
    for machine in MACHINES:
        counts = counter.counts(program, machine=machine)
        for own, other in AS_CORTEX_A8.items():
            if counts[own] != reference[other]:
                wrong.append(f"{label} on {machine}: {own} is {counts[own]}, the Cortex-A8's "
                             f"{other} {reference[other]}")
        if counts["BRANCH"] > reference["BR_IMMED_RETIRED"]:
            wrong.append(f"{label} on {machine}: more B and BL than immediate branches")
        wrong += [f"{label} on {machine}: {less} is {counts[less]}, {more} {counts[more]}"
                  for less, more, n in RELATIONS if counts[less] > n * counts[more]]
        wrong += [f"{label} on {machine}: {name} is 0" for name in (
            "L1I_CACHE_MISS", "DATA_STALL_CYCLES", "ITLB_MISS", "DTLB_MISS", "BRANCH_MISS",
            "DCACHE_MISS") if counts[name] == 0]
    return wrong


def main():
    armpmu, *folders = sys.argv[1:]
    if not shutil.which(COMPILER) or not shutil.which(guest.QEMU):
        print(f"{COMPILER} or {guest.QEMU} is not installed (scripts/setup test)")
        return guest.SKIPPED
    wrong, n = [], 0
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        counter = counting.Counter(armpmu, scratch)
        sources = sorted(source for folder in folders
                         for source in glob.glob(os.path.join(folder, "*.c")))
        for source in sources:
            name = os.path.basename(source)[:-2]
            for build, flags in BUILDS.items():
                program = os.path.join(scratch, name)
                if name in LEFT_OUT or not compile_program(source, program, flags):
                    continue
                n += 1
                wrong += check(f"{name} in {build}", program, counter)
    for message in wrong:
        print("WRONG", message)
    print(f"{n} programs")
    return 1 if wrong or n < 20 else 0


if __name__ == "__main__":
    sys.exit(main())
