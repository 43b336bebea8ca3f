"""Measures the commands that people type, with the model of each core, relative to plain QEMU.

Every round runs each command once on each program, one after the other, with what it is to be compared with: QEMU with a
plugin of the recorder's shape that does nothing, QEMU's cache plugin, and valgrind's tools on the same source compiled for
the host, beside that program alone. `replay` counts what `record --trace` has recorded before. A figure is the median
over the programs of the medians over the rounds of the ratio within a round: processor time of all processes
together, and in brackets wall time. The start is what a program that only says hello takes longer than under plain
QEMU, in milliseconds of wall time: the median of STARTS pairs a round, since one alone is off by up to twice its
value.
"""

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from clock import timed
from programs import CORES, PROGRAMS, ROOT, commands_of, compile_programs, sysroot_of

# A machine, the core of bench/programs.py whose programs it runs, and its event of level 1 misses.
MACHINES = {"cortex-a8": ("cortex-a8", "L1D_CACHE_REFILL"), "cortex-r4f": ("cortex-r4f", "L1D_CACHE_REFILL"),
            "pxa255": ("xscale1", "DCACHE_MISS"), "neoverse-n1": ("neoverse-v1", "L1D_CACHE_REFILL"),
            "neoverse-v1": ("neoverse-v1", "L1D_CACHE_REFILL")}
EMPTY, CACHE = "QEMU, empty plugin", "QEMU, cache plugin"
CACHEGRIND = ["--tool=cachegrind", "--branch-sim=yes", "--cachegrind-out-file=/dev/null"]
TOOLS = {"cachegrind, with branches": CACHEGRIND,
         "callgrind": ["--tool=callgrind", "--callgrind-out-file=/dev/null"]}
REPLAY, START = "replay", "start, ms"
STARTS = 11


def commands(armpmu, machine, folder):
    """What is typed, and the words before the program."""
    stat = [armpmu, "stat", "--machine", machine, "-o", folder / "report"]
    record = [armpmu, "record", "--machine", machine, "-o", folder / "armpmu.data"]
    return {"stat": stat, "stat -e instructions": [*stat, "-e", "instructions"],
            "stat -e level 1 misses": [*stat, "-e", MACHINES[machine][1]], "stat -e all": [*stat, "-e", "all"],
            "record": record, "record -g": [*record, "-g"]}


class Figures:
    """Ratios by row, column and program."""

    def __init__(self):
        self.ratios = {}

    def note(self, row, column, program, took, plain):
        self.ratios.setdefault((row, column), {}).setdefault(program, []).append((took.cpu / plain.cpu, took.wall / plain.wall))

    def note_start(self, column, took, plain):
        self.ratios.setdefault((START, column), {}).setdefault("hello", []).append(((took.wall - plain.wall) * 1e3, 0))

    def cell(self, row, column):
        programs = self.ratios.get((row, column))
        if programs is None:
            return "-"
        processor, wall = (statistics.median(statistics.median(pair[i] for pair in pairs) for pairs in programs.values())
                           for i in (0, 1))
        return f"{processor:.0f}" if row == START else f"{processor:.1f} ({wall:.1f})"


def round_of(build, machine, folder, figures):
    core = MACHINES[machine][0]
    armpmu, qemu, trace = build / "armpmu", build / "qemu" / CORES[core][2], folder / "trace"
    root = sysroot_of(core, build)
    environment = os.environ if root is None else {**os.environ, "QEMU_LD_PREFIX": str(root)}
    plugins = {EMPTY: build / "bench/empty.so", CACHE: build / "bench/qemu/cache.so"}
    for name, command in commands_of(core, build, folder / core).items():
        plain = timed([qemu, *command], environment)
        for row, words in commands(armpmu, machine, folder).items():
            figures.note(row, machine, name, timed([*words, "--", *command], environment), plain)
        timed([armpmu, "record", "--machine", machine, "--trace", trace, "--", *command], environment)
        replay = [armpmu, "replay", "--machine", machine, "-o", folder / "report", trace]
        figures.note(REPLAY, machine, name, timed(replay), plain)
        for row, plugin in plugins.items():
            if plugin.exists():
                figures.note(row, machine, name, timed([qemu, "-plugin", plugin, *command], environment), plain)
    hello = folder / core / "hello"
    stat = commands(armpmu, machine, folder)["stat"]
    for _ in range(STARTS):
        figures.note_start(machine, timed([*stat, "--", hello]), timed([qemu, hello]))


def round_of_valgrind(folder, figures):
    for name, (source, arguments) in PROGRAMS.items():
        command = [folder / "host" / Path(source).stem, *arguments]
        plain = timed(command)
        for row, words in TOOLS.items():
            figures.note(row, "host", name, timed(["valgrind", *words, *command]), plain)


def compile_all(folder):
    for core in {core for core, _ in MACHINES.values()}:
        (folder / core).mkdir()
        compile_programs(core, folder / core)
        compiler, flags, _, _ = CORES[core]
        subprocess.run([compiler, "-O2", "-static", *flags, "-I", ROOT / "include", ROOT / "examples/hello.c", "-o",
                        folder / core / "hello"], check=True)
    (folder / "host").mkdir()
    for source in {source for source, _ in PROGRAMS.values()}:
        subprocess.run(["cc", "-std=gnu11", "-O2", ROOT / source, "-o", folder / "host" / Path(source).stem], check=True)


def measure(build, rounds):
    """The rows of the table."""
    figures, has_valgrind = Figures(), shutil.which("valgrind") is not None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_all(folder)
        for number in range(rounds):
            for machine in MACHINES:
                print(f"typed, {machine}, round {number + 1} of {rounds}", file=sys.stderr)
                round_of(build, machine, folder, figures)
            if has_valgrind:
                round_of_valgrind(folder, figures)
        typed = [*commands(build, "cortex-a8", folder), REPLAY, EMPTY, CACHE]
    columns = [*MACHINES, "host"]
    return [["", *columns]] + [[row, *(figures.cell(row, column) for column in columns)] for row in [*typed, *TOOLS, START]]
