"""Measures the cost of each kind of record in the core models, in host instructions and nanoseconds.

build/bench/bench-records feeds a model blocks of three instructions that differ in one access. The table says
what a block costs without one, and what one of each kind adds. Host instructions are those that callgrind
counts in armpmu_sim_run, of twice as many blocks less those of once as many, so that decoding is left out.
"""

import re
import subprocess
import sys

from programs import ROOT

MACHINES = ("cortex-a8", "cortex-r4f", "pxa255")
# What bench/records.c calls it, and what it is where caches are those of the Cortex-A8.
KINDS = {
    "block": "BLOCK of three instructions, no access",
    "load": "ACCESS, a load that hits",
    "store": "store to a line that is in no cache, merged in the write buffer",
    "load-multiple": "BURST of four words that hit",
    "load-walk": "load that hits, TLB walk",
    "load-l2": "load that misses level 1",
    "load-l2-walk": "load that misses level 1, TLB walk",
    "load-memory": "load that misses level 2 as well, in order",
    "store-l2": "store to a line that is not in level 1, another one each time",
}
BLOCKS, ROUNDS = 100000, 5  # as in records.c
CALLGRIND = ["valgrind", "--tool=callgrind", "--toggle-collect=armpmu_sim_run",
             "--callgrind-out-file=/dev/null"]


def run(build, machine, kind, blocks, *wrapper):
    return subprocess.run([*wrapper, build / "bench/bench-records", machine, ROOT / "machines", kind,
                           str(blocks)], check=True, text=True, capture_output=True)


def instructions(build, machine, kind):
    """Host instructions a block."""
    counts = [int(re.search(r"Collected : (\d+)",
                            run(build, machine, kind, blocks, *CALLGRIND).stderr).group(1))
              for blocks in (BLOCKS, 2 * BLOCKS)]
    return (counts[1] - counts[0]) / BLOCKS / ROUNDS


def measure(build):
    """The rows of the table."""
    rows = [["record"] + [f"{machine}{unit}" for machine in MACHINES for unit in ("", ", ns")]]
    base = {}
    for kind, meaning in KINDS.items():
        row = [meaning]
        for machine in MACHINES:
            print(f"records: {kind} on {machine}", file=sys.stderr)
            cost = (instructions(build, machine, kind),
                    float(run(build, machine, kind, 10 * BLOCKS).stdout))
            base.setdefault(machine, cost)
            less = (0, 0) if kind == "block" else base[machine]
            row += [f"{cost[0] - less[0]:.0f}", f"{cost[1] - less[1]:.1f}"]
        rows.append(row)
    return rows
