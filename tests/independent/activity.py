#!/usr/bin/env python3
"""What must hold between the activity monitors' counts, on real AArch64 programs and every machine.

Programs run on each machine twice: the counts are the same again, and the instructions are those
of every other machine.

usage: activity.py ARMPMU PROGRAMS_FOLDER [PROGRAM]...
"""

# proves: 0x08 real programs execute the same instructions on every machine
# proves: 0x11 on real programs dispatch's width bounds instructions by cycles
# proves: 0x4004 on real programs counters 0 and 1 have the ratio of the frequencies
# proves: 0x4005 on real programs memory stalls are no more than the cycles

import glob
import json
import os
import subprocess
import sys
import tempfile

import counting
import guest

# glibc's join and create take another path when the other thread was faster.
RACES = {"threads"}

MACHINES = ("amuv1", "amuv1-plain")


def machine_values(armpmu):
    """Machine name -> its keys."""
    listed = subprocess.run([armpmu, "list", "machine", "-j"], check=True, stdout=subprocess.PIPE)
    return {machine["MachineName"]: machine["Values"] for machine in map(json.loads, listed.stdout.splitlines())}


def broken_relations(counts, values, n_threads):
    """Sentences about what does not hold."""
    cycles, ticks = counts["CPU_CYCLES"], counts["CNT_CYCLES"]
    khz, clock_khz = int(values["clock.counter_khz"]), 1000 * int(values["clock.mhz"])
    width, period = int(values["dispatch.width"]), int(values["mpmm.period_cycles"])
    gears = [counts[f"MPMM_GEAR{gear}"] for gear in range(3)]
    if counts["STALL_BACKEND_MEM"] > cycles:
        yield "more memory stalls than cycles"
    if counts["INST_RETIRED"] > width * cycles:
        yield f"more than {width} instructions a cycle"
    # Each thread's own counter has not ticked for what is left of a tick.
    if not ticks * clock_khz <= cycles * khz < (ticks + n_threads) * clock_khz:
        yield f"{cycles} cycles and {ticks} ticks are not in the ratio {clock_khz} to {khz}"
    if gears != sorted(gears, reverse=True):
        yield "a gear with a higher threshold counts more periods"
    if gears[0] > cycles // period + n_threads:
        yield "more periods than the cycles have"


def check(name, program, counter, machines):
    wrong, instructions = [], set()
    for machine in MACHINES:
        rows = counter.run(program, machine=machine, per_thread=True)
        n_threads = len({row["thread"] for row in rows})
        counts = counter.counts(program, machine=machine)
        wrong += [f"{name} on {machine}: {sentence}"
                  for sentence in broken_relations(counts, machines[machine], n_threads)]
        if name in RACES:
            continue
        if counter.counts(program, machine=machine) != counts:
            wrong.append(f"{name} on {machine}: other counts the second time")
        instructions.add(counts["INST_RETIRED"])
        print(f"{name} on {machine}: {counts['INST_RETIRED']} instructions in "
              f"{counts['CPU_CYCLES']} cycles, {counts['STALL_BACKEND_MEM']} of them stalled")
    if len(instructions) > 1:
        wrong.append(f"{name}: {sorted(instructions)} instructions on machines of one core")
    return wrong


def main(armpmu, folder, *chosen):
    missing = guest.missing_tools(target=guest.AARCH64)
    if missing:
        print(missing)
        return guest.SKIPPED
    sources = sorted(glob.glob(os.path.join(folder, "*.c")))
    if len(sources) < 10:
        print(f"{folder}: {len(sources)} programs, ten are wanted")
        return 1
    wrong, machines = [], machine_values(armpmu)
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        counter = counting.Counter(armpmu, scratch)
        for source in sources:
            name = os.path.splitext(os.path.basename(source))[0]
            if chosen and name not in chosen:
                continue
            program = guest.compile_program(source, os.path.join(scratch, name), ["-static"],
                                            guest.AARCH64)
            wrong += check(name, program, counter, machines)
    for message in wrong:
        print("WRONG", message)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
