"""Runs pmuv3.S in a QEMU guest: the same instructions counted by hand as on the bare core.

usage: pmuv3.py PLUGIN ELF PROCESSOR

PROCESSOR: of QEMU, with another version of PMUv3 or with fine-grained traps. BUILD is where scripts/with-qemu11
keeps its QEMU. Skipped (77) without one. Without the plugin the program must not come to its end: QEMU's own
monitor counts no instruction of one level alone.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "guest"))
import qemu11  # noqa: E402  pylint: disable=wrong-import-position

SECONDS = 100


def run(elf, processor, more):
    return qemu11.run("qemu-system-aarch64", "-M", "virt,secure=on,virtualization=on", "-cpu", processor, "-display",
                      "none", "-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native",
                      "-kernel", elf, *more, timeout=SECONDS).returncode


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
