"""Checks that time grows with the work and memory does not: one program at 1, 10 and 100 times the work.

Each size runs under armpmu stat -e all; figures are medians over the rounds. Time a unit of work should fall
to a constant once starting is a small part, memory should stay where it is: what armpmu keeps is of the
program's code, which is the same.
"""

import statistics
import sys

from clock import timed

# A small program, so that the model, not the start, is most of it at 10 times the work.
UNITS, TIMES = 2, (1, 10, 100)


def measure(build, rounds):
    """The rows of the table."""
    program, armpmu = build / "bench/arm-mixed", build / "armpmu"
    rows = [["mixed", "wall", "processor", "processor a unit", "peak memory"]]
    for times in TIMES:
        runs = []
        for number in range(rounds):
            print(f"growth, {times} times the work, round {number + 1} of {rounds}", file=sys.stderr)
            runs.append(timed([armpmu, "stat", "-e", "all", "--", program, UNITS * times]))
        wall, cpu, peak = (statistics.median(getattr(run, key) for run in runs)
                           for key in ("wall", "cpu", "peak"))
        rows.append([f"{times} x", f"{wall:.2f} s", f"{cpu:.2f} s", f"{cpu / times * 1000:.0f} ms",
                     f"{peak / 1024:.0f} MB"])
    return rows
