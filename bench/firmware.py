"""Measures what counting firmware costs, for bench/run.

A matrix, additions at random and sorting, with MMU and caches on, run with

    library  the Unicorn library alone
    armpmu   armpmu stat -e all
    QEMU     qemu-system-arm's board with a Cortex-A8, by itself
    cache    the same with QEMU's own cache plugin, where it could be built: L1I, L1D, L2

Processor time is of all threads; wall time is what a user waits. The library alone has one thread, so
both are the same, and so does QEMU here: its processor time is shown. Ratios are medians of those of
each round.
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

SOURCE = Path(__file__).resolve().parents[1]
BOARD = ["-M", "realview-pb-a8", "-m", "128", "-display", "none", "-monitor", "none", "-serial", "none",
         "-semihosting-config", "enable=on,target=native"]

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


def contenders(build, cache_options):
    """Names and arguments of what the same program runs under besides; none without QEMU."""
    cache = build / "bench/qemu11/cache.so"
    if not cache.exists():
        return {}
    qemu = [SOURCE / "scripts/with-qemu11", "qemu-system-arm", *BOARD, "-kernel", build / NEEDED[2]]
    return {"QEMU": qemu, "QEMU, cache plugin": [*qemu, "-plugin", f"{cache},{cache_options}"]}


def one_round(build, others):
    """Seconds of each, by name, and how many instructions the program has."""
    bare, binary, elf = (build / path for path in NEEDED)
    seconds = {"library alone": float(timed([bare, binary])[2])}
    seconds["armpmu, wall time"], seconds["armpmu, processor time"], insns = \
        count(build / "armpmu", elf)
    for name, words in others.items():
        seconds[name] = timed(words)[1]
    return seconds, insns


def measure(build, rounds, cache_options):
    """Rows of cells, the first row the heading."""
    others, insns, measured = contenders(build, cache_options), 0, []
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}: firmware", file=sys.stderr)
        seconds, insns = one_round(build, others)
        measured.append(seconds)
    rows = [["firmware", "time", "insns", "of the library's speed"]]
    for name in measured[0]:
        median = statistics.median(seconds[name] for seconds in measured)
        ratio = statistics.median(seconds["library alone"] / seconds[name] for seconds in measured)
        rows.append([name, f"{median:.2f} s", f"{insns / median / 1e6:.0f} M/s",
                     f"{ratio:.2f} x" if name != "library alone" else ""])
    return [*rows, ["goal of armpmu", "", f">= {MILLIONS_AT_LEAST} M/s",
                    f">= {OF_LIBRARY_AT_LEAST:.1f} x"]]
