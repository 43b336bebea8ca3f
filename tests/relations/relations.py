#!/usr/bin/env python3
"""What the manuals say of any program, on 21 programs and on random streams, on every machine that
is shipped: each program on a sixth of the machines, which differ from program to program, or with ARMPMU_TEST_LONG set
on all of them.

The relations are those of the directed programs (tests/directed/cores.py). A program is built for
the core of the machine. Random streams are of A32 instructions.

usage: relations.py ARMPMU STREAM_COUNTS MACHINES_FOLDER PROGRAMS_FOLDER...
"""

import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "directed"), os.path.join(HERE, "..", "independent")]

import cores  # noqa: E402
import counting  # noqa: E402
import directed  # noqa: E402
import guest  # noqa: E402

# Compilers of whole programs: those of the directed ones, except where there is no hardware for
# their floating point.
BUILDS = {
    "cortex_a8": ["arm-linux-gnueabihf-gcc", "-marm"],
    "cortex_r4f": ["arm-linux-gnueabihf-gcc", "-mthumb"],
    "xscale": ["arm-linux-gnueabi-gcc", "-mcpu=xscale", "-marm"],
    "amuv1": ["aarch64-linux-gnu-gcc"],
    "cortex_a53": ["aarch64-linux-gnu-gcc"],
    "cortex_a55": ["aarch64-linux-gnu-gcc"],
    "neoverse": ["aarch64-linux-gnu-gcc"],
}
SETS = {"cortex-a8": "cortex_a8", "cortex-r4f": "cortex_r4f", "xscale1": "xscale",
        "xscale2": "xscale", "amuv1": "amuv1",
        **{core: cores.folder_of(core) for core in cores.with_pmuv3()}}
CORE_OF = cores.of_machines()
PROGRAMS = 21
LONG = "ARMPMU_TEST_LONG" in os.environ
SEEDS = 20 if LONG else 3


def machines(folder):
    """Machine -> the folder of its core's directed programs."""
    return {name: SETS[core] for name, core in cores.of_machines(folder).items()}


def build(source, target, folder):
    out = os.path.join(folder, f"{os.path.splitext(os.path.basename(source))[0]}-{target}")
    subprocess.run([*BUILDS[target], "-std=gnu11", "-O2", "-static", "-o", out, source, "-lm",
                    "-pthread"], check=True)
    return out


def relations_of(target, machine, counts):
    """The oldest cores lack some of the events; of every other machine a name without a count is an error."""
    relations = cores.CORES[target].relations
    if CORE_OF[machine] not in map(CORE_OF.get, cores.CORES[target].oldest):
        return relations
    return [relation for relation in relations if set(re.findall(r"[A-Z]\w+", relation)) <= counts.keys()]


def violations(label, target, machine, counts):
    """(what does not hold, how many relations were looked at)."""
    wrong = []
    relations = relations_of(target, machine, counts)
    for relation in relations:
        left, comparison, right = directed.split_comparison(relation)
        got, limit = directed.evaluate(left, counts), directed.evaluate(right, counts)
        if not directed.COMPARISONS[comparison](got, limit):
            wrong.append(f"{label}: {relation}: {got}, {limit}")
    return wrong, len(relations)


def check_program(armpmu, program, machine, target):
    label = f"{os.path.basename(program)} on {machine}"
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        try:
            counts = counting.Counter(armpmu, scratch).counts(program, machine=machine)
        except counting.CountingFailed as failure:
            return [f"{label}: {failure}"], 0
    return violations(label, target, machine, counts)


def check_streams(stream_counts, folder, machine, target):
    wrong, looked_at = [], 0
    for seed in range(1, SEEDS + 1):
        for kind in ("user", "system"):
            done = subprocess.run([stream_counts, machine, folder, str(seed), kind], text=True,
                                  stdout=subprocess.PIPE, check=True)
            counts = {name: int(count) for name, count in map(str.split, done.stdout.splitlines())}
            found, n = violations(f"{kind} stream {seed} on {machine}", target, machine, counts)
            wrong += found
            looked_at += n
    return wrong, looked_at


def main(armpmu, stream_counts, folder, *sources):
    missing = guest.missing_tools()
    if missing:
        print(missing)
        return guest.SKIPPED
    programs = sorted(path for source in sources for path in glob.glob(os.path.join(source, "*.c")))
    if len(programs) < PROGRAMS:
        print(f"{len(programs)} programs, {PROGRAMS} are wanted")
        return 1
    wrong, looked_at, targets = [], 0, machines(folder)
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        chosen = [(source, *on) for i, source in enumerate(programs) for j, on in enumerate(targets.items())
                  if LONG or (i + j) % 6 == 0]
        built = {(source, target): pool.submit(build, source, target, scratch)
                 for source, target in sorted({(source, target) for source, _, target in chosen})}
        jobs = [pool.submit(check_streams, stream_counts, folder, machine, target)
                for machine, target in targets.items() if target not in ("amuv1", "neoverse")]
        jobs += [pool.submit(check_program, armpmu, built[source, target].result(), machine, target)
                 for source, machine, target in chosen]
        for job in jobs:
            found, n = job.result()
            wrong += found
            looked_at += n
    for message in wrong:
        print("WRONG", message)
    print(f"{len(programs)} programs on {len(targets)} machines: {looked_at} relations, "
          f"{len(wrong)} do not hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
