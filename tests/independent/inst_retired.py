#!/usr/bin/env python3
"""INST_RETIRED against a plugin that counts one instruction at a time, to the instruction.

Every program is built two of six ways (A32, T32 and A64, static and dynamic), which differ from program to program, or
with ARMPMU_TEST_LONG set all six, and counted in one run by both, thread by thread and process by process. Programs whose path does not depend on a race are counted
again by armpmu alone: the number must not change.

usage: inst_retired.py ARMPMU COUNT_PLUGIN PROGRAMS_FOLDER [PROGRAM | BUILD]...
"""

# proves: 0x08 on real programs each thread's count equals that of a plugin that counts one by one

import glob
import os
import struct
import sys
import tempfile

import counting
import guest

LONG = "ARMPMU_TEST_LONG" in os.environ

# An instruction that faults was about to execute for the plugin and never retired: faults.c says
# how many it makes.
FAULTS = {"faults": 10}
# glibc's join and create take another path when the other thread was faster.
RACES = {"threads"}

BUILDS = {
    "A32 static": (guest.ARM, ["-marm", "-static"]),
    "T32 static": (guest.ARM, ["-mthumb", "-static"]),
    "A32 dynamic": (guest.ARM, ["-marm"]),
    "T32 dynamic": (guest.ARM, ["-mthumb"]),
    "A64 static": (guest.AARCH64, ["-static"]),
    "A64 dynamic": (guest.AARCH64, ["-march=armv8.1-a"]),
}


def plugin_counts(prefix):
    """{(process, thread): instructions} as the count plugin counted them.

    The host's identifiers of threads rise in order of creation, from the first thread's, and begin again from the
    smallest."""
    counts = {}
    for path in glob.glob(glob.escape(prefix) + ".*"):
        process = int(path.rsplit(".", 1)[1])
        with open(path, "rb") as file:
            threads = [thread for thread in struct.iter_unpack("=qQ", file.read()) if thread[1] != 0]
        threads.sort(key=lambda thread, first=threads[0][0]: (thread[0] < first, thread[0]))
        for number, (_, count) in enumerate(threads, 1):
            counts[process, number] = count
        os.unlink(path)
    return counts


def armpmu_counts(rows):
    """{(process, thread): instructions} of `stat --per-thread`; thread is NAME-PROCESS.THREAD."""
    counts = {}
    for row in rows:
        process, thread = row["thread"].rsplit("-", 1)[1].split(".")
        counts[int(process), int(thread)] = counting.count_of(row)
    return counts


def compare(label, program, target, armpmu, plugin, scratch):
    """Messages about what differs; none when all is equal."""
    out = os.path.join(scratch, "instructions")
    name = os.path.basename(program)
    both = counting.Counter(armpmu, scratch, guest.qemu_with_plugin(scratch, plugin, out, target))
    got = armpmu_counts(both.run(program, events="INST_RETIRED", per_thread=True, machine=target.machine))
    want = plugin_counts(out)
    if not want:
        return [f"{label}: the plugin counted nothing"]
    want[1, 1] -= FAULTS.get(name, 0)
    if got != want:
        return [f"{label}: armpmu counts {got}, the plugin {want}"]
    total = sum(want.values())
    print(f"{label}: {total} instructions in {len(want)} threads: equal")
    if name in RACES:
        return []
    single = counting.Counter(armpmu, scratch, guest.qemu_with_plugin(scratch, None, None, target))
    alone = single.counts(program, events="INST_RETIRED", machine=target.machine)["INST_RETIRED"]
    if alone != total:
        return [f"{label}: {alone} without the other plugin, {total} with it"]
    return []


def main(armpmu, plugin, folder, *chosen):
    missing = guest.missing_tools() or guest.missing_tools(target=guest.AARCH64)
    if missing:
        print(missing)
        return guest.SKIPPED
    sources = sorted(glob.glob(os.path.join(folder, "*.c")))
    names = [os.path.splitext(os.path.basename(source))[0] for source in sources]
    if len(names) < 10:
        print(f"{folder}: {len(names)} programs, ten are wanted")
        return 1
    wrong = []
    chosen_builds = [build for build in BUILDS if build in chosen]
    chosen = [name for name in chosen if name not in BUILDS]
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        for number, (name, source) in enumerate(zip(names, sources)):
            if chosen and name not in chosen:
                continue
            for n, (build, (target, flags)) in enumerate(BUILDS.items()):
                if build not in chosen_builds if chosen_builds else not LONG and (number + n) % 3:
                    continue
                program = guest.compile_program(source, os.path.join(scratch, name), flags, target)
                wrong += compare(f"{name} {build}", program, target, armpmu, plugin, scratch)
    for message in wrong:
        print("WRONG", message)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
