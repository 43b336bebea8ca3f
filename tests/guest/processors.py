"""A Linux guest with two processors has two monitors, each with its interrupt.

usage: processors.py [--plugin FILE] [--irq spi|ppi] ARMPMU SAMPLES HOT

SAMPLES, HOT: of programs/, compiled for Arm. The environment as for boot.py.
"""

import argparse
import dataclasses
import re
import sys

import boot
import judge
from acceptance import HOT_TURNS

# In the device tree, and for the plugin.
INTERRUPTS = {"spi": ("spi:100,spi:101", "irq=gic:132+133"), "ppi": ("ppi:7", "irq=gic:23")}
# The kernel's own work moves samples, by chance. With four times as many, a share outside of .85 to .95 is more than four
# standard deviations from .9.
TIMES = 4
# Otherwise the kernel stops a sampled event whose interrupt handler takes long, as on a busy host.
NEVER_STOP = "echo 0 > /proc/sys/kernel/perf_cpu_time_max_percent"
PER_CPU = re.compile(r"^CPU([01])\s+([0-9]+)\s+r08")


def board(irq):
    tree, plugin = INTERRUPTS[irq]
    options = [word if word != "1" else "2" for word in boot.BOARDS["virt"].options]
    return dataclasses.replace(boot.BOARDS["virt"], options=options,
                               armpmu_dtb=["--core", "cortex-a8", "--irq", tree], irq=plugin)


def samples(lines):
    records = judge.parse(lines)
    return judge.failures(records) + judge.samples(records, TIMES)


def per_cpu(lines):
    """perf stat of a program that runs on the second processor."""
    counts = {int(match[1]): int(match[2]) for match in map(PER_CPU.match, lines) if match}
    if sorted(counts) != [0, 1]:
        return [f"perf stat -A counts {counts}"]
    if counts[1] < 2 * HOT_TURNS or counts[0] > counts[1] / 2:
        return [f"CPU 1 ran {2 * HOT_TURNS} instructions at least, CPU 0 few: {counts}"]
    return []


def interrupts(lines):
    """Both processors were interrupted; each by its own, of whichever kind."""
    rows = [line.split() for line in lines if "arm-pmu" in line]
    counts = [[int(row[1]), int(row[2])] for row in rows]
    total = [sum(column) for column in zip(*counts)]
    if len(total) != 2 or min(total) == 0:
        return [f"a processor had no interrupt of its monitor: {rows}"]
    if len(counts) == 2 and any(min(row) > 0 for row in counts):
        return [f"an interrupt came to both processors: {rows}"]
    return []


CHECKS = (
    ("dmesg | grep perfevents", judge.kernel),
    (NEVER_STOP, lambda lines: lines),
    (f"taskset 1 samples {TIMES}", samples),
    (f"taskset 2 samples {TIMES}", samples),
    ("perf stat -a -A -e r08 taskset 2 hot 100 2>&1", per_cpu),
    ("cat /proc/interrupts", interrupts),
)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--irq", choices=INTERRUPTS, default="spi")
    parser.add_argument("armpmu")
    parser.add_argument("programs", nargs=2)
    o = parser.parse_args()
    boot.BOARDS["two"] = board(o.irq)
    try:
        booted = boot.run([line for line, _ in CHECKS], "two", o.armpmu, o.plugin, o.programs,
                          perf=True)
    except boot.BootFailed as failure:
        print(failure)
        return 1
    wrong = 0
    for command, (line, judged) in zip(booted.commands, CHECKS):
        complaints = judged(command.output)
        wrong += bool(complaints)
        print(f"{line}: {'; '.join(complaints) or 'right'}")
    print(f"two processors, {o.irq}: {wrong} of {len(CHECKS)} wrong; {booted.seconds:.1f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
