"""Runs the bare-metal conformance program in a QEMU machine.

usage: conformance.py [--machine virt|cubieboard] [--plugin FILE[,ARGUMENT...]] [--expect-wrong] ELF

Prints the checks that are wrong, and the total. --expect-wrong turns the test round: without the plugin
the program must run to its end and find what is wrong with QEMU's own monitor, above all that it counts no
instruction. The environment as for boot.py.
"""

import argparse
import re
import subprocess
import sys

import boot

SECONDS = 60
TOTAL = re.compile(r"^(\d+) checks, (\d+) wrong$")
NEVER_RIGHT = "event 08 of 100 NOPs"


def run(machine, plugin, elf):
    """Exit status and lines of the program; None for the status when it did not end."""
    board = boot.BOARDS[machine]
    words = boot.with_qemu("qemu-system-arm", "-M", board.machine, *board.options, "-nographic",
                           "-monitor", "none", "-serial", "none", "-semihosting-config",
                           "enable=on,target=native", "-kernel", elf)
    words += boot.plugin_options(board, plugin)
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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--machine", choices=boot.BOARDS, default="virt")
    parser.add_argument("--expect-wrong", action="store_true")
    parser.add_argument("elf")
    o = parser.parse_args()

    status, lines = run(o.machine, o.plugin, o.elf)
    complaints, wrong = judge(status, lines)
    print("\n".join(line for line in lines if not line.startswith("ok ")))
    print("\n".join(complaints))
    if complaints:
        return 1
    if o.expect_wrong:
        return 0 if NEVER_RIGHT in wrong else 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
