"""Measures twelve machines: a run of armpmu stat for each, one after the other, beside one armpmu sweep, and
a sweep of the recorded trace.

Ratios are those of wall times within a round; the table has their medians. Counts must be the same.
"""

import itertools
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from clock import timed

EVENTS = "cycles,instructions,L1D_CACHE_REFILL,L2_CACHE_MISS"
SETTINGS = {"l2.size_kb": (128, 256, 512), "l1d.size_kb": (16, 32), "l1i.size_kb": (16, 32)}

# Below the build folder, with what to give them.
PROGRAMS = {
    "hello": ["examples/hello"],
    "sort-numbers": ["examples/sort", "random", "300000"],
    "mixed": ["bench/arm-mixed", "8"],
    "matrix": ["examples/matrix", "naive", "256"],
    "chase": ["examples/chase", "512", "300"],
}


def fail(message):
    sys.exit(f"bench/sweep: {message}")


def machines():
    """The words of --set for each."""
    for values in itertools.product(*SETTINGS.values()):
        yield [f"--set={key}={value}" for key, value in zip(SETTINGS, values)]


def counts_alone(armpmu, program, report):
    """Seconds of all runs, and what each counted."""
    wall, counts = 0.0, []
    for words in machines():
        wall += timed([armpmu, "stat", "-j", "-o", report, "-e", EVENTS, *words, "--", *program]).wall
        lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
        counts.append([int(line["counter-value"]) for line in lines if "counter-value" in line])
    return wall, counts


def counts_together(armpmu, where, report):
    words = [f"--set={key}={','.join(str(value) for value in values)}" for key, values in SETTINGS.items()]
    wall = timed([armpmu, "sweep", "--json=1", "-o", report, "-e", EVENTS, *words, *where]).wall
    document = json.loads(report.read_text(encoding="utf-8"))
    return wall, [list(machine["counts"].values()) for machine in document["machines"]]


def round_of(armpmu, program, folder, figures):
    report, trace = folder / "report", folder / "trace"
    alone, expected = counts_alone(armpmu, program, report)
    together, counts = counts_together(armpmu, ["--", *program], report)
    subprocess.run([armpmu, "record", "--trace", trace, "--", *program], check=True, stdout=subprocess.DEVNULL)
    replayed, again = counts_together(armpmu, ["--replay", trace], report)
    if counts != expected or again != expected:
        fail(f"{program[0].name}: the sweep and single runs counted differently")
    for key, value in (("alone", alone), ("together", together), ("replayed", replayed),
                       ("together/alone", together / alone), ("replayed/alone", replayed / alone)):
        figures.setdefault(key, []).append(value)


def measure(build, rounds):
    """The rows of the table."""
    rows = [["12 machines", "12 runs", "sweep", "of 12 runs", "sweep --replay", "of 12 runs"]]
    for name, (path, *arguments) in PROGRAMS.items():
        figures = {}
        with tempfile.TemporaryDirectory() as folder:
            for number in range(rounds):
                print(f"sweep, {name}, round {number + 1} of {rounds}", file=sys.stderr)
                round_of(build / "armpmu", [build / path, *arguments], Path(folder), figures)
        median = {key: statistics.median(values) for key, values in figures.items()}
        rows.append([name, f"{median['alone']:.2f} s", f"{median['together']:.2f} s", f"{median['together/alone']:.2f}",
                     f"{median['replayed']:.2f} s", f"{median['replayed/alone']:.2f}"])
    return rows
