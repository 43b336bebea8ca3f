#!/usr/bin/env python3
"""Tasks of firmware have the names that FreeRTOS keeps for them, by the type of pxCurrentTCB; else those of their functions.

usage: task_names.py ARMPMU ARM_COMPILER AARCH64_COMPILER SOURCE...
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, (ARM, AARCH64, *SOURCES) = Path(sys.argv[1]).resolve(), sys.argv[2:]

WORDS = ["-nostdlib", "-static", "-O1", "-ffreestanding", "-fno-pic", "-no-pie", "-fomit-frame-pointer",
         "-Wl,--build-id=none,-estart"]
A32 = ["-marm", "-mfloat-abi=soft", "-Wl,-Ttext=0x8000,--section-start=.vectors=0"]
PORTS = {
    "SRS": ("cortex-r4f", [ARM, "-mcpu=cortex-r4f", *A32]),
    "CALL": ("cortex-a8", [ARM, "-mcpu=cortex-a8", *A32]),
    "ERET": ("neoverse-n1", [AARCH64, "-Wl,-Ttext=0x80000"]),
}


class Names(unittest.TestCase):
    def names(self, switch, *flags):
        machine, words = PORTS[switch]
        with tempfile.TemporaryDirectory() as folder:
            def run(*command):
                return subprocess.run(command, cwd=folder, check=True, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=100).stdout
            run(*words, *WORDS, f"-DSWITCH_{switch}", *flags, *SOURCES, "-o", "tasks.elf")
            run(ARMPMU, "record", "-q", "-g", "--engine", "unicorn", "--machine", machine, "-e", "instructions", "--", "./tasks.elf")
            rows = [json.loads(line) for line in run(ARMPMU, "report", "-j", "-s", "thread").splitlines()]
            stat = run(ARMPMU, "stat", "-j", "--engine", "unicorn", "--machine", machine, "-e", "instructions", "-o", "/dev/stdout", "--",
                       "./tasks.elf")
        counted = next(int(row["counter-value"]) for row in map(json.loads, stat.splitlines()) if "counter-value" in row)
        self.assertEqual(sum(row["events"]["INST_RETIRED"]["self"] for row in rows), counted)
        return {row["name"] for row in rows}

    def test_names(self):
        freertos = ["-DNAMED", "-Dcurrent=pxCurrentTCB"]
        for switch in PORTS:
            with self.subTest(switch):
                self.assertEqual(self.names(switch, *freertos, "-g"), {"tasks.elf", "Blink", "Log output"})
                self.assertEqual(self.names(switch, *freertos), {"tasks.elf", "task_one", "task_two"})
                self.assertEqual(self.names(switch, "-DNAMED", "-g"), {"tasks.elf", "task_one", "task_two"})


del sys.argv[1:]
unittest.main()
