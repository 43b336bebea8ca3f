#!/usr/bin/env python3
"""Calls of the kernel's helper page, which QEMU answers itself: their number is told, and nothing is exact then.

usage: helper_page.py ARMPMU
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

import guest

COMPILER = "arm-linux-gnueabi-gcc"
CALLS = 7

# A mov; CALLS times mov, two that call, subs, bne; three to end.
INSTRUCTIONS = 1 + 5 * CALLS + 3
SOURCE = """
        .arch   armv5te
        .arm
        .global _start
_start: mov     r4, #{calls}
again:  mov     r0, #0
{call}
        subs    r4, r4, #1
        bne     again
        mov     r0, #0
        mov     r7, #1
        svc     #0
"""
# get_tls is at 0xffff0fe0.
CALL_HELPER = """
        adr     lr, 1f
        ldr     pc, =0xffff0fe0
1:
"""
CALL_OWN = """
        mov     r1, r1
        mov     r1, r1
"""


def stat(armpmu, folder, call):
    program = os.path.join(folder, "program")
    subprocess.run([COMPILER, "-nostdlib", "-static", "-x", "assembler", "-o", program, "-"], check=True, text=True,
                   input=SOURCE.format(calls=CALLS, call=call))
    done = subprocess.run([armpmu, "stat", "--machine", "pxa255", "-e", "all", "-j", "--", program],
                          capture_output=True, text=True, check=True)
    return {row["event"]: row for row in map(json.loads, done.stderr.splitlines()) if "event" in row}


def main():
    armpmu = sys.argv[1]
    missing = guest.missing_tools()
    if missing or not shutil.which(COMPILER):
        print(missing or f"{COMPILER} is not installed (Debian package gcc-arm-linux-gnueabi)")
        return guest.SKIPPED
    with tempfile.TemporaryDirectory(prefix="armpmu-") as folder:
        own, calling = stat(armpmu, folder, CALL_OWN), stat(armpmu, folder, CALL_HELPER)
    wrong = []
    for rows, calls, fidelity in ((own, None, "exact"), (calling, CALLS, "modelled")):
        row = rows["INSTRUCTION"]
        seen = int(row["counter-value"]), row.get("uncounted-helper-calls"), row["fidelity"]
        if seen != (INSTRUCTIONS, calls, fidelity):
            wrong.append(f"{seen}, expected {(INSTRUCTIONS, calls, fidelity)}")
    wrong += [f"{name} is exact" for name, row in calling.items() if row["fidelity"] == "exact"]
    print("\n".join(wrong) or f"{CALLS} calls")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
