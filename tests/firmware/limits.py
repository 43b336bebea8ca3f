"""A run of firmware ends by its limits wherever its code lies: --max-insns, --timeout, an interrupt.

usage: limits.py ARMPMU COMPILER...    the words of a compiler for bare-metal programs
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, *COMPILER = sys.argv[1:]
del sys.argv[1:]

CORES = ("cortex-a8", "cortex-r4f", "pxa255")
HEAD = ".syntax unified\n.arm\n.global start\n.type start, %function\nstart:\n"
EXIT = " mov r0, #0x18\n ldr r1, =0x20026\n svc 0x123456\n.ltorg\n"
# The loop is translated a second time once it has run often, without hooks at its loads.
LOADS = "1: ldr r0, [r1]\n add r2, r2, #1\n cmp r2, #0x4000\n bne 1b\n"
ENDLESS_LOADS = "1: ldr r0, [r1]\n add r2, r2, #1\n b 1b\n"


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def build(self, text, address):
        source, elf = Path(self.folder.name, "program.S"), Path(self.folder.name, "program.elf")
        source.write_text(HEAD + text, encoding="ascii")
        subprocess.run([*COMPILER, f"-Wl,-Ttext={address:#x},-estart", source, "-o", elf], check=True)
        return str(elf)


def run(*words):
    done = subprocess.run([ARMPMU, *words], text=True, check=False, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class AtAddressZero(Folder):
    """Address 0 is an address as any other."""

    def insns(self, machine, elf):
        status, _, err = run("stat", "--engine", "unicorn", "--machine", machine, "--timeout", "30", "-j", "-e",
                             "CPU_CYCLES" if machine == "pxa255" else "INST_RETIRED", elf)
        self.assertEqual(status, 0, err)
        return float(json.loads(err.splitlines()[0])["counter-value"])

    def test_a_loop_that_begins_with_a_load_ends(self):
        for machine in CORES:
            with self.subTest(machine):
                there, elsewhere = (self.insns(machine, self.build(LOADS + EXIT, address))
                                    for address in (0, 0x8000))
                self.assertEqual(there, elsewhere)

    def test_limits_hold(self):
        elf = self.build(ENDLESS_LOADS, 0)
        for machine in CORES:
            for words, reason in ((("--max-insns", "100000"), "the limit of 100000 instructions"),
                                  (("--timeout", "0.3"), "the time of 0.3 seconds is over")):
                with self.subTest(machine, words=words):
                    status, _, err = run("run", "--machine", machine, *words, elf)
                    self.assertEqual(status, 124, err)
                    self.assertIn(reason, err)


if __name__ == "__main__":
    unittest.main()
