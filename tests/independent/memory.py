#!/usr/bin/env python3
"""What a program's code may take in memory changes no count, and is not exceeded.

Every program, on a machine of a core (they take turns; with ARMPMU_TEST_LONG set on each), is counted with room for all its blocks, for a few and for
none ($ARMPMU_CODE_MEMORY): the reports are the same bytes. A program that makes code without end (in
one thread, beside one that waits; with ARMPMU_TEST_LONG set in three processes, too) takes bounded memory, in armpmu and
in QEMU, and with ARMPMU_TEST_LONG set counts as with room for all.

usage: memory.py ARMPMU PROGRAMS_FOLDER [PROGRAM]...
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

import guest

ARMEL = guest.Target("arm-linux-gnueabi-gcc", "qemu-arm", None, "gcc-arm-linux-gnueabi")
BUILDS = {
    "A32": (guest.ARM, ["-marm", "-static"], ["cortex-a8", "cortex-r4f"]),
    "T32": (guest.ARM, ["-mthumb", "-static"], ["cortex-a8", "tms570ls"]),
    "ARMv5": (ARMEL, ["-marm", "-march=armv5te", "-static"], ["pxa270"]),
    "A64": (guest.AARCH64, ["-static"], ["neoverse-v1"]),
}
LONG = "ARMPMU_TEST_LONG" in os.environ
# Numbers of as many digits, for the program sees its environment: all, a few blocks, none.
ROOMS = ["9999999999", "0000032768", "0000000000"]
# Its threads race: what they do differs from run to run. ARMv5's toolchain has no such thing.
RACES = {"threads"}
LEFT_OUT = {("faults", "ARMv5"), ("blocks", "ARMv5"), ("jumps", "ARMv5")}

FUNCTIONS = 240000  # enough for QEMU to throw its translations away
ROOM = 16 << 20
ENDLESS = {"A64": ("thread",), **({"A32": ("processes",)} if LONG else {})}
# Of the larger of armpmu and QEMU: QEMU keeps up to 128 MB of what it translated.
MOST_BYTES = 260 << 20


def count(armpmu, machine, room, out, *program):
    """The exit status, and the most memory in bytes that armpmu or QEMU took."""
    command = [armpmu, "stat", "-j", "-e", "all", "--per-thread", "-o", out, "--machine", machine,
               "--", *program]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL,
                          env={"PATH": os.environ["PATH"], "ARMPMU_CODE_MEMORY": room}) as running:
        _, status, usage = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        return running.returncode, usage.ru_maxrss * 1024


def content(path):
    with open(path, "rb") as file:
        return file.read()


def compare(label, armpmu, machine, program, scratch):
    """Messages about reports that differ."""
    wrong, reports = [], []
    for room in ROOMS:
        out = os.path.join(scratch, f"room-{room}.json")
        status, _ = count(armpmu, machine, room, out, program)
        reports.append((status, content(out)))
        if reports[-1] != reports[0]:
            wrong.append(f"{label} on {machine} in {int(room)} bytes: counts differ")
    if len(reports[0][1]) < 1000:
        wrong.append(f"{label} on {machine}: not counted, exit status {reports[0][0]}")
    return wrong


def endless(armpmu, program, machine, ways, scratch):
    """Messages about code without end."""
    wrong = []
    for how in ways:
        reports = []
        for room in (f"{ROOM:010}", ROOMS[0]) if LONG else (f"{ROOM:010}",):
            out = os.path.join(scratch, f"endless-{room}.json")
            status, most = count(armpmu, machine, room, out, program, str(FUNCTIONS), "again", how)
            reports.append((status, content(out)))
            print(f"{how}, {FUNCTIONS} functions on {machine}, room for {int(room)} bytes: "
                  f"{most >> 20} MB")
            if room != ROOMS[0] and most > MOST_BYTES:
                wrong.append(f"{how} on {machine}: {most >> 20} MB, more than {MOST_BYTES >> 20}")
        if reports[0] != reports[-1] or reports[0][0] != 0:
            wrong.append(f"{how} on {machine}: counts differ, or status {reports[0][0]} is not 0")
    return wrong


def main():
    armpmu, folder, *names = sys.argv[1:]
    armpmu = os.path.abspath(armpmu)
    missing = guest.missing_tools() or guest.missing_tools(guest.AARCH64)
    if missing or not shutil.which(ARMEL.compiler):
        print(missing or f"{ARMEL.compiler} is not installed (Debian package {ARMEL.package})")
        return guest.SKIPPED
    names = names or sorted(os.path.basename(path)[:-2]
                            for path in glob.glob(os.path.join(folder, "*.c")))
    wrong, n = [], 0
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        for number, name in enumerate(name for name in names if name not in RACES):
            builds = [build for build in BUILDS if (name, build) not in LEFT_OUT]
            turn = builds[number % len(builds)]
            for build in builds:
                target, flags, machines = BUILDS[build]
                is_endless = name == "generate" and build in ENDLESS
                if not (LONG or is_endless or build == turn):
                    continue
                program = guest.compile_program(os.path.join(folder, name + ".c"),
                                                os.path.join(scratch, name), flags, target)
                for machine in machines if LONG else [machines[number // len(builds) % len(machines)]]:
                    wrong += compare(f"{name} in {build}", armpmu, machine, program, scratch)
                    n += 1
                if is_endless:
                    wrong += endless(armpmu, program, machines[0], ENDLESS[build], scratch)
    for message in wrong:
        print("WRONG", message)
    print(f"{n} programs")
    return 1 if wrong or n < len(set(names) - RACES) else 0


if __name__ == "__main__":
    sys.exit(main())
