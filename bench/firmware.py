"""Measures what counting firmware costs, for bench/run.

A matrix and a mix of branches and stores, with MMU and caches on, run with

    library  the Unicorn library alone
    armpmu   armpmu stat -e all

Processor time is of all threads; wall time is what a user waits. The library alone has one thread, so
both are the same.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MILLIONS_AT_LEAST = 80
OF_LIBRARY_AT_LEAST = 0.6

NEEDED = ["bench/bench-firmware-bare", "bench/firmware.bin", "bench/firmware.elf"]


def timed(words):
    """(wall seconds, processor seconds, standard output) of a command."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    wall, after = time.perf_counter() - start, os.times()
    if done.returncode != 0:
        sys.exit(f"{words}: status {done.returncode}\n{done.stderr}")
    processor = after.children_user + after.children_system - before.children_user - \
        before.children_system
    return wall, processor, done.stdout


def count(armpmu, elf):
    """(wall seconds, processor seconds, instructions) with everything counted."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "counts"
        wall, processor, _ = timed([armpmu, "stat", "-j", "-e", "all", "-o", report, elf])
        rows = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if row.get("event") == "INST_RETIRED":
            return wall, processor, int(row["counter-value"])
    sys.exit(f"{elf}: armpmu counted no INST_RETIRED")


def measure(build, rounds):
    """Rows of cells, the first row the heading."""
    bare, binary, elf = (build / path for path in NEEDED)
    insns, measured = 0, []
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}: firmware", file=sys.stderr)
        library = float(timed([bare, binary])[2])
        wall, processor, insns = count(build / "armpmu", elf)
        measured.append((library, wall, processor))

    def row(name, seconds, ratio):
        return [name, f"{seconds:.2f} s", f"{insns / seconds / 1e6:.0f} M/s", ratio]

    library, wall, processor = (statistics.median(column) for column in zip(*measured))
    of_wall = statistics.median(line[0] / line[1] for line in measured)
    of_processor = statistics.median(line[0] / line[2] for line in measured)
    return [["firmware", "time", "insns", "of the library's speed"],
            row("library alone", library, ""),
            row("armpmu, processor time", processor, f"{of_processor:.2f} x"),
            row("armpmu, wall time", wall, f"{of_wall:.2f} x"),
            ["goal", "", f">= {MILLIONS_AT_LEAST} M/s", f">= {OF_LIBRARY_AT_LEAST:.1f} x"]]
