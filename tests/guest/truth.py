"""What a guest reads in its counters is what the core model counted in the same window, to the event.

usage: truth.py ARMPMU PLUGIN WINDOWS [cortex-a8|xscale2|cortex-r4f]

WINDOWS is windows.elf, or the one of that core: it counts every event around the same work and prints its
counters. The plugin
reports all signals before each write to PMNC: their rise from a window's start to its end, summed to
events by the catalogue, is the truth. BUILD is where scripts/with-qemu11 keeps its QEMU. Skipped (77)
without one.
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import qemu11

SECONDS = 1200


@dataclass(frozen=True)
class Target:
    """A QEMU machine, what the plugin takes it for, and its program: how it names the cycle counter, windows,
    counters of each with the cycle counter. not_zero: events that its work makes happen: a truth of zeros
    would show nothing. The rest may be zero."""
    options: list
    machine: str
    cycles: int
    windows: int
    counters: int
    not_zero: list


TARGETS = {
    "cortex-a8": Target(["-M", "virt", "-cpu", "cortex-a15", "-m", "64"], "cortex-a8", 0xff, 11, 5,
                        [0x01, *range(0x03, 0x13), *range(0x41, 0x49), *range(0x4c, 0x51),
                         *range(0x52, 0x58)]),
    "xscale2": Target(["-M", "versatilepb", "-cpu", "arm926", "-semihosting"], "pxa270", 0x1ff, 4, 5,
                      [0x00, 0x01, 0x02, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d]),
    "cortex-r4f": Target(["-M", "realview-pb-a8", "-cpu", "cortex-r5f", "-semihosting"], "cortex-r4f",
                         0x1ff, 12, 4, [0x01, 0x03, 0x04, *range(0x06, 0x0b), *range(0x0c, 0x0f),
                                        0x10, 0x11, 0x12, 0x41, 0x46, 0x47, 0x5e]),
}


def boot(target, plugin, program, report):
    done = qemu11.run("qemu-system-arm", *target.options, "-display",
                      "none", "-monitor", "none", "-serial", "stdio", "-no-reboot", "-kernel", program, "-plugin",
                      f"{plugin},machine={target.machine},report={report},marks=on", timeout=SECONDS)
    if done.returncode != 0:
        sys.exit(f"QEMU ended with {done.returncode}: {done.stderr}")
    return [tuple(int(word, 16) for word in line.split()) for line in done.stdout.splitlines()]


def marks(report):
    """{signal: count} at each mark, all modes together."""
    found, record = [], {}
    for line in Path(report).read_text(encoding="ascii").splitlines():
        words = line.split()
        if words[0] == "at":
            record = {}
        elif words[0] == "mark":
            found.append(record)
        elif len(words) == 4 and words[0].isdigit():
            record[words[2]] = record.get(words[2], 0) + int(words[3])
    return found


def listed_signals(armpmu, core):
    """{number: the signals that the event counts} of each event that counts."""
    listed = subprocess.run([armpmu, "list", "event", "-j", f"--core={core}"], check=True,
                            capture_output=True, text=True).stdout
    return {int(event["EventCode"], 16): event["Signals"] for event in map(json.loads, listed.splitlines())
            if "Signals" in event}


def signals_of(armpmu, core, target):
    signals = listed_signals(armpmu, core)
    if core != "xscale2":
        signals[0x00] = []  # the program writes no SWINCR
    return signals | {target.cycles: ["CPU_CYCLES"]}


def main(armpmu, plugin, program, core="cortex-a8"):
    target = TARGETS[core]
    plugin = Path(plugin).resolve()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        shown = boot(target, plugin, program, report)
        at = marks(report)
    signals = signals_of(armpmu, core, target)
    windows = [shown[i:i + target.counters] for i in range(0, len(shown), target.counters)]
    wrong = 0
    if len(at) != 2 * len(windows) or len(windows) != target.windows:
        sys.exit(f"{len(windows)} windows of {target.windows}, {len(at)} marks")
    for number, window in enumerate(windows):
        start, end = at[2 * number], at[2 * number + 1]
        for event, count in window:
            truth = sum(end.get(name, 0) - start.get(name, 0) for name in signals[event])
            if count != truth or (count == 0 and event in target.not_zero):
                wrong += 1
                print(f"WRONG window {number}, event 0x{event:02x}: the guest reads {count}, the model "
                      f"counted {truth}")
    print(f"{len(shown)} counters read, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
