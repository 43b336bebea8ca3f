"""What counting costs with the model of each core: armpmu stat beside the plain emulator.

The same C programs are compiled for each core. Every round runs each of them under the emulator alone
and under armpmu stat -e all, one after the other; figures are medians over the rounds of the ratios
within a round. Processor time is that of all processes together, so it does not depend on how many
processors the machine has free; wall time is what a user waits.
"""

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from clock import timed

ROOT = Path(__file__).resolve().parent.parent

# What each core's programs are compiled with, run under, and counted on.
CORES = {
    "cortex-a8": ("arm-linux-gnueabihf-gcc", [], "qemu-arm", "cortex-a8"),
    "cortex-r4f": ("arm-linux-gnueabihf-gcc", [], "qemu-arm", "cortex-r4f"),
    "xscale1": ("arm-linux-gnueabi-gcc", ["-mcpu=xscale"], "qemu-arm", "pxa255"),
    "amuv1": ("aarch64-linux-gnu-gcc", [], "qemu-aarch64", "amuv1"),
    "neoverse-v1": ("aarch64-linux-gnu-gcc", [], "qemu-aarch64", "neoverse-v1"),
}

# Source, arguments. The programs that miss the caches all the time have rows and medians of their own.
PROGRAMS = {
    "matrix": ("examples/matrix.c", ["blocked", "256"]),
    "sort-numbers": ("examples/sort.c", ["random", "300000"]),
    "mixed": ("bench/mixed.c", ["8"]),
    "matrix naive": ("examples/matrix.c", ["naive", "256"]),
    "chase": ("examples/chase.c", ["512", "300"]),
}
MISSES = ("matrix naive", "chase")


def fail(message):
    sys.exit(f"bench/cores: {message}")


def compile_programs(core, folder):
    compiler, flags, _, _ = CORES[core]
    for source in {source for source, _ in PROGRAMS.values()}:
        subprocess.run([compiler, "-std=c11", "-O2", "-static", *flags, ROOT / source, "-o",
                        folder / Path(source).stem], check=True)


def instructions_in(report):
    with open(report, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("event") in ("INST_RETIRED", "INSTRUCTION"):
                return int(row["counter-value"])
    fail(f"{report}: no instructions were counted")


def round_of(core, name, build, folder, figures):
    _, _, qemu, machine = CORES[core]
    source, arguments = PROGRAMS[name]
    command = [folder / Path(source).stem, *arguments]
    plain = timed([qemu, *command])
    report = folder / "counts"
    took = timed([build / "armpmu", "stat", "-j", "-e", "all", "--machine", machine, "-o", report, "--",
                  *command])
    for key, value in (("plain", plain.wall), ("wall", took.wall / plain.wall),
                       ("cpu", took.cpu / plain.cpu),
                       ("speed", instructions_in(report) / took.wall / 1e6)):
        figures.setdefault((core, name), {}).setdefault(key, []).append(value)


def medians(figures, core, names):
    """The row of the medians over some programs of a core."""
    wall, cpu, speed = (statistics.median(statistics.median(figures[core, name][key]) for name in names)
                        for key in ("wall", "cpu", "speed"))
    return f"| {wall:.1f} x | {cpu:.1f} x | {speed:.0f} M/s |"


def table(figures):
    lines = ["| core | program | plain | armpmu, wall | armpmu, processor | armpmu insns |",
             "|---|---|---|---|---|---|"]
    for (core, name), values in figures.items():
        median = {key: statistics.median(value) for key, value in values.items()}
        lines.append(f"| {core} on {CORES[core][3]} | {name} | {median['plain']:.2f} s | "
                     f"{median['wall']:.1f} x | {median['cpu']:.1f} x | {median['speed']:.0f} M/s |")
    for core in dict.fromkeys(core for core, _ in figures):
        ordinary = [name for name in PROGRAMS if name not in MISSES]
        lines.append(f"| **{core}** | **median** | {medians(figures, core, ordinary)}")
        lines.append(f"| **{core}** | **median of those that miss** | {medians(figures, core, MISSES)}")
    return "\n".join(lines)


def measure(build, rounds):
    """The table of all cores whose tools are installed."""
    figures = {}
    for core, (compiler, _, qemu, _) in CORES.items():
        if not (shutil.which(compiler) and shutil.which(qemu)):
            fail(f"{compiler} or {qemu} is not installed; scripts/setup installs what is needed")
        with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
            compile_programs(core, Path(scratch))
            for number in range(rounds):
                for name in PROGRAMS:
                    print(f"{core}, round {number + 1} of {rounds}: {name}", file=sys.stderr)
                    round_of(core, name, build, Path(scratch), figures)
    return table(figures)
