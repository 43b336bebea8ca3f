"""Runs pmuv3.S in a QEMU guest: the same instructions counted by hand as on the bare core.

usage: pmuv3.py PLUGIN ELF PROCESSOR

PROCESSOR: of QEMU, with another version of PMUv3 or with fine-grained traps. BUILD is where scripts/with-qemu11
keeps its QEMU. Skipped (77) without one. Without the plugin the program must not come to its end: QEMU's own
monitor counts no instruction of one level alone.
"""

import subprocess
import sys
from pathlib import Path

WITH_QEMU = Path(__file__).resolve().parents[2] / "scripts" / "with-qemu11"
SECONDS = 100


def run(elf, processor, more):
    done = subprocess.run(
        [WITH_QEMU, "qemu-system-aarch64", "-M", "virt,secure=on,virtualization=on", "-cpu", processor, "-display",
         "none", "-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native", "-kernel",
         elf, *more], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode == 125 and "scripts/with-qemu11:" in done.stderr:
        print(done.stderr, end="")
        sys.exit(77)
    return done.returncode


def main(plugin, elf, processor):
    with_plugin = run(elf, processor, ["-plugin", f"{plugin},machine=neoverse-n2"])
    without = run(elf, processor, [])
    if with_plugin != 0:
        print(f"check {with_plugin} is wrong")
    if without == 0:
        print("QEMU's own monitor passes")
    return 1 if with_plugin != 0 or without == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
