#!/usr/bin/env python3
"""Records traces of the benchmark programs, for build/bench/bench-replay.

usage: bench/traces.py BUILD FOLDER [CORE|PROGRAM]...

Writes FOLDER/CORE.PROGRAM.trace for each core and program of bench/programs.py, or of those named, and
checks that the model alone counts what `armpmu stat -e all` does. The numbers of work are smaller than in
programs.py, so that a trace runs under callgrind in a minute; bench/replay.c says how. A trace does not depend
on how caches and predictors work, so it serves all machines that run the same instruction set:
FOLDER/cortex-a8.* the Cortex-R4F as well.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import CORES, ROOT, compile_programs

# Of each trace the program and its work. Those of the second group miss: in the level-1 cache, in the TLB as
# well, and everywhere.
TRACED = {
    "sort-numbers": ("sort", ["random", "100000"]),
    "mixed": ("mixed", ["1"]),
    "matrix-blocked": ("matrix", ["blocked", "128"]),

    "matrix-l1d": ("matrix", ["naive", "128"]),
    "matrix-tlb": ("matrix", ["naive", "192"]),
    "chase": ("chase", ["512", "100"]),
}


def environment(build):
    """The same for both: a program has its environment on its stack."""
    return {"PATH": os.environ["PATH"], "ARMPMU_PLUGIN": str(build / "armpmu-qemu.so")}


def counts(report):
    """The lines that bench-replay should print; of an input, which no program has, none."""
    for line in report.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row.get("counter-value", "<").isdigit():
            yield f"{row['event']} {row['counter-value']}"


def check(build, machine, trace, command, scratch):
    """The model alone counts what it counts under armpmu stat."""
    report = scratch / "counts"
    subprocess.run([build / "armpmu", "stat", "-j", "-e", "all", "--machine", machine, "-o", report, "--",
                    *command], stdout=subprocess.DEVNULL, check=True, env=environment(build))
    alone = subprocess.run([build / "bench/bench-replay", machine, ROOT / "machines", trace],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True)
    expected = set(counts(report))
    missing = expected - set(alone.stdout.splitlines())
    if missing or not expected:
        sys.exit(f"bench/traces: {trace}: alone the model does not count {sorted(missing)}")
    print(f"{trace}: {alone.stderr.strip()}")


def save(build, core, name, folder, scratch):
    machine = CORES[core][3]
    trace = folder / f"{core}.{name}.trace"
    program, arguments = TRACED[name]
    command = [scratch / program, *arguments]
    subprocess.run([build / "armpmu", "record", "-q", "--trace", trace, "--machine", machine, "--", *command],
                   stdout=subprocess.DEVNULL, check=True, env=environment(build))
    check(build, machine, trace, command, scratch)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, folder, wanted = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3:]
    for name in wanted:
        if name not in CORES and name not in TRACED:
            sys.exit(f"bench/traces: neither a core nor a program: '{name}'; there are "
                     f"{', '.join([*CORES, *TRACED])}")
    folder.mkdir(parents=True, exist_ok=True)
    for core in [core for core in CORES if core in wanted] or CORES:
        with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
            compile_programs(core, Path(scratch))
            for name in [name for name in TRACED if name in wanted] or TRACED:
                save(build, core, name, folder, Path(scratch))


if __name__ == "__main__":
    main()
