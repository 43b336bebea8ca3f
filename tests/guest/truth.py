"""What a guest reads in its counters is what the core model counted in the same window, to the event.

usage: truth.py ARMPMU PLUGIN WINDOWS

WINDOWS is windows.elf: it counts every event around the same work and prints its counters. The plugin
reports all signals before each write to PMNC: their rise from a window's start to its end, summed to
events by the catalogue, is the truth. BUILD is where scripts/with-qemu11 keeps its QEMU. Skipped (77)
without one.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

WITH_QEMU = Path(__file__).resolve().parents[2] / "scripts" / "with-qemu11"
SECONDS = 120
CYCLES = 0xff  # how windows.S names the cycle counter

# Events that its work makes happen: a truth of zeros would show nothing. The rest may be zero.
NOT_ZERO = [0x01, *range(0x03, 0x13), *range(0x41, 0x49), *range(0x4c, 0x51), *range(0x52, 0x58)]


def boot(plugin, program, report):
    command = [WITH_QEMU, "qemu-system-arm", "-M", "virt", "-cpu", "cortex-a15", "-m", "64", "-display",
               "none", "-monitor", "none", "-serial", "stdio", "-no-reboot", "-kernel", program, "-plugin",
               f"{plugin},machine=cortex-a8,report={report},marks=on"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=SECONDS, check=False)
    if done.returncode == 125:
        print(done.stderr, end="")
        sys.exit(77)
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


def signals_of(armpmu):
    listed = subprocess.run([armpmu, "list", "event", "-j", "--core=cortex-a8"], check=True,
                            capture_output=True, text=True).stdout
    signals = {int(event["EventCode"], 16): event["Signals"] for event in json.loads(listed)
               if "-" not in event["EventCode"]}
    return signals | {CYCLES: ["CPU_CYCLES"], 0x00: []}  # the program writes no SWINCR


def main(armpmu, plugin, program):
    plugin = Path(plugin).resolve()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        shown = boot(plugin, program, report)
        at = marks(report)
    signals = signals_of(armpmu)
    windows = [shown[i:i + 5] for i in range(0, len(shown), 5)]
    wrong = 0
    if len(at) != 2 * len(windows) or len(windows) != 11:
        sys.exit(f"{len(windows)} windows of 11, {len(at)} marks")
    for number, window in enumerate(windows):
        start, end = at[2 * number], at[2 * number + 1]
        for event, count in window:
            truth = sum(end.get(name, 0) - start.get(name, 0) for name in signals[event])
            if count != truth or (count == 0 and event in NOT_ZERO):
                wrong += 1
                print(f"WRONG window {number}, event 0x{event:02x}: the guest reads {count}, the model "
                      f"counted {truth}")
    print(f"{len(shown)} counters read, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
