"""Runs a bare-metal conformance program in a QEMU machine.

usage: conformance.py [--machine NAME] [--plugin FILE[,ARGUMENT...]] [--expect-wrong] ELF

Prints the checks that are wrong, and the total. --expect-wrong turns the test round: without the plugin
the program must find what is wrong with QEMU's own monitor, above all that it counts no instruction, or end
because a register is not there. The environment as for boot.py.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass

import boot

SECONDS = 600
TOTAL = re.compile(r"^(\d+) checks, (\d+) wrong$")
NO_MONITOR = re.compile(r"^exception 0x00000001 with LR 0x[0-9a-f]+: none can be here$")


@dataclass(frozen=True)
class Target:
    """A QEMU machine, what the plugin takes it for, and the check that is never right without it: None
    where registers are missing and the program ends with an Undefined exception."""
    options: list
    machine: str
    irq: str | None
    never_right: str | None


TARGETS = {
    "virt": Target(["-M", "virt", *boot.BOARDS["virt"].options], "cortex-a8", "gic:132",
                   "event 08 of 100 NOPs"),
    "cubieboard": Target(["-M", "cubieboard", *boot.BOARDS["cubieboard"].options], "cortex-a8",
                         None, "event 08 of 100 NOPs"),
    # A Cortex-R5F executes what a Cortex-R4F does; the board has a GIC.
    "cortex-r4f": Target(["-M", "realview-pb-a8", "-cpu", "cortex-r5f"], "cortex-r4f", "gic:92",
                         None),
    # QEMU has no XScale any more; an ARM926 executes what both have.
    "xscale1": Target(["-M", "versatilepb", "-cpu", "arm926"], "pxa255", "vic:20", None),
    "xscale2": Target(["-M", "versatilepb", "-cpu", "arm926"], "pxa270", "vic:20", None),
}


def plugin_options(target, plugin):
    """As boot.plugin_options."""
    if plugin is None:
        return []
    if "," not in plugin:
        plugin += f",machine={target.machine}" + (f",irq={target.irq}" if target.irq else "")
    return ["-plugin", plugin]


def run(target, plugin, elf):
    """Exit status and lines of the program; None for the status when it did not end."""
    words = boot.with_qemu("qemu-system-arm", *target.options, "-nographic",
                           "-monitor", "none", "-serial", "none", "-semihosting-config",
                           "enable=on,target=native", "-kernel", elf)
    words += plugin_options(target, plugin)
    try:
        done = subprocess.run(words, text=True, check=False, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS)
    except subprocess.TimeoutExpired as late:
        return None, (late.stdout or b"").decode(errors="replace").splitlines()
    return done.returncode, done.stdout.splitlines()


def judge(status, lines):
    """Complaints, and the names of the checks that are wrong."""
    wrong = [line.removeprefix("WRONG ").split(": 0x")[0] for line in lines
             if line.startswith("WRONG ")]
    right = sum(line.startswith("ok ") for line in lines)
    totals = [match for match in map(TOTAL.match, lines) if match]
    if status is None:
        return [f"did not end after {SECONDS} seconds"], wrong
    if len(totals) != 1 or status not in (0, 1):
        return [f"ended with status {status} and without a total"], wrong
    said = (int(totals[0][1]), int(totals[0][2]))
    if said != (right + len(wrong), len(wrong)) or status != (len(wrong) > 0):
        return [f"says {said[0]} checks with {said[1]} wrong and status {status}; {right} are ok "
                f"and {len(wrong)} wrong"], wrong
    return [], wrong


def is_without_plugin(target, complaints, wrong):
    """Whether it went as it must on QEMU's own monitor."""
    if target.never_right is not None:
        return not complaints and target.never_right in wrong
    return bool(complaints) and bool(wrong) and NO_MONITOR.match(wrong[-1]) is not None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--machine", choices=TARGETS, default="virt")
    parser.add_argument("--expect-wrong", action="store_true")
    parser.add_argument("elf")
    o = parser.parse_args()

    target = TARGETS[o.machine]
    status, lines = run(target, o.plugin, o.elf)
    complaints, wrong = judge(status, lines)
    print("\n".join(line for line in lines if not line.startswith("ok ")))
    print("\n".join(complaints))
    if o.expect_wrong:
        return 0 if is_without_plugin(target, complaints, wrong) else 1
    return 1 if wrong or complaints else 0


if __name__ == "__main__":
    sys.exit(main())
