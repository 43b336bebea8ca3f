"""Firmware with more code than the library keeps translated at a time counts each instruction.

usage: much_code.py ARMPMU COMPILER SOURCE

With ARMPMU_TEST_LONG it has more than the library's memory has room for, so that the library would not survive it.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ARMPMU, COMPILER, SOURCE = sys.argv[1:]
TURNS = 1000000 if os.environ.get("ARMPMU_TEST_LONG") else 100000  # 13 and 1.3 million instructions

with tempfile.TemporaryDirectory() as folder:
    program = Path(folder, "much_code.elf")
    subprocess.run([COMPILER, "-nostdlib", "-static", f"-Wa,--defsym,TURNS={TURNS}", "-Wl,-Ttext=0x40080000", SOURCE,
                    "-o", program], check=True)
    done = subprocess.run([ARMPMU, "stat", "--engine", "unicorn", "--machine", "neoverse-n1", "-x,", "-e",
                           "INST_RETIRED", program], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
if done.returncode != 0 or not done.stderr.startswith(f"{13 * TURNS + 5},"):
    sys.exit(f"ended with {done.returncode}: {done.stderr}")
