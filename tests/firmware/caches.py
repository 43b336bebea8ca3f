"""Caches and branch prediction are off until SCTLR says that they are on: what a turn of a loop counts.

usage: caches.py ARMPMU ARM_GCC ARM64_GCC SOURCE
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, ARM_GCC, ARM64_GCC, SOURCE = sys.argv[1:]
del sys.argv[1:]

M, C, Z, I = 1, 1 << 2, 1 << 11, 1 << 12
TURNS = 1001  # and three times that: both come from the literal pool
MACHINES = {  # options of the compiler, what is always on, events
    "cortex-a8": (["-mcpu=cortex-a8"], M, ["0x04", "0x50", "0x12", "0x10", "0x11"]),
    "cortex-r4f": (["-mcpu=cortex-r4f", "-DCORTEX_R4F"], 0, ["0x04", "0x58", "0x12", "0x10", "0x11"]),
    "pxa255": (["-march=armv5te", "-mfloat-abi=soft"], M, ["0x0a", "0x00", "0x05", "0x06", "0x100"]),
    "pxa270": (["-march=armv5te", "-mfloat-abi=soft"], M, ["0x0a", "0x00", "0x05", "0x06", "0x100"]),
    "neoverse-n2": ([], M, ["0x04", "0x14", "0x13", "0x10", "0x11"]),
}


def assembled(machine, folder, **symbols):
    options = MACHINES[machine][0]
    base = "0x40001000" if machine.startswith("neoverse") else "0x10000"
    out = Path(folder, "program.elf")
    subprocess.run([ARM64_GCC if machine.startswith("neoverse") else ARM_GCC, *options, "-nostdlib", "-static",
                    *(f"-D{name}={value}" for name, value in symbols.items()),
                    f"-Wl,-Ttext={base},--build-id=none,-z,max-page-size=0x1000,-z,noexecstack", SOURCE, "-o", out], check=True)
    return out


def a_turn(machine, bits, *words, first=None, nops=0):
    """What a turn counts, by event."""
    _, always, events = MACHINES[machine]
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for turns in (TURNS, 3 * TURNS):
            program = assembled(machine, folder, TURNS=turns, NOPS=nops, ON=hex(bits | always),
                                FIRST=hex(bits | always if first is None else first | always))
            done = subprocess.run([ARMPMU, "stat", "--engine", "unicorn", "--machine", machine, "-j", "-e", ",".join(events),
                                   "--timeout", "60", *words, program], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
            rows = [json.loads(line) for line in done.stderr.splitlines() if '"event"' in line]
            found.append([int(row["counter-value"]) for row in rows])
    return [(after - before) / (2 * TURNS) for before, after in zip(*found)]


class Caches(unittest.TestCase):
    def test_cortex_a8(self):
        # A turn is two groups of eight bytes, each read for itself, and a load; memory answers in 125 cycles, and a
        # branch that nobody predicted takes 13 cycles.
        data, code, predictable, missed, cycles = a_turn("cortex-a8", 0)
        self.assertEqual((data, code, predictable, missed), (0, 0, 0, 1))
        self.assertGreaterEqual(cycles, 3 * 125 + 13)
        for word, first in (("again", C | I | Z), ("at once", 0)):
            with self.subTest(word):
                self.assertEqual(a_turn("cortex-a8", 0, first=first)[:4], [0, 0, 0, 1])
        self.assertEqual(a_turn("cortex-a8", C)[:4], [1, 0, 0, 1])
        self.assertEqual(a_turn("cortex-a8", I)[0], 0)
        self.assertGreaterEqual(a_turn("cortex-a8", I)[1], 2)
        data, code, predictable, missed, _ = a_turn("cortex-a8", Z)
        self.assertEqual((data, code, predictable), (0, 0, 1))
        self.assertLess(missed, 0.02)
        self.assertLess(a_turn("cortex-a8", C | I | Z)[4], 4)
        self.assertEqual(a_turn("cortex-a8", 0, "--caches-on"), a_turn("cortex-a8", C | I | Z))

    def test_cortex_r4f(self):
        # SCTLR.Z is one in this core; memory answers in 30 cycles, and reads the turn's two groups.
        for bits in (0, Z):
            data, code, predictable, missed, cycles = a_turn("cortex-r4f", bits)
            self.assertEqual((data, code, predictable), (0, 0, 1))
            self.assertLess(missed, 0.02)
            self.assertGreater(cycles, 3 * 20)
        self.assertEqual(a_turn("cortex-r4f", C)[:2], [1, 0])
        self.assertEqual(a_turn("cortex-r4f", I)[0], 0)
        self.assertGreaterEqual(a_turn("cortex-r4f", I)[1], 1)
        self.assertLess(a_turn("cortex-r4f", C | I)[4], 6)
        self.assertEqual(a_turn("cortex-r4f", 0, "--caches-on"), a_turn("cortex-r4f", C | I))

    def test_xscale(self):
        # Intel 273473-002: cache or not, an access counts as one to the data cache; while the instruction cache is
        # off, two buffers of a line each keep code.
        for machine in ("pxa255", "pxa270"):
            data, code, branches, missed, cycles = a_turn(machine, 0)
            self.assertEqual((data, code, branches, missed), (1, 0, 1, 1))
            on = a_turn(machine, C | I | Z)
            self.assertEqual(on[:3], [1, 0, 1])
            self.assertLess(on[3], 0.01)
            self.assertGreater(cycles, on[4] + 30)
            self.assertEqual(a_turn(machine, C)[3], 1)
            self.assertEqual(a_turn(machine, C, nops=21)[1], 3)  # three lines
            self.assertEqual(a_turn(machine, C, nops=21, first=C | I)[1], 3)
            self.assertEqual(a_turn(machine, C | I, nops=21)[1], 0)
            self.assertEqual(a_turn(machine, 0, "--caches-on"), on)

    def test_neoverse(self):
        data, code, accesses, _, _ = a_turn("neoverse-n2", 0)
        self.assertEqual((data, code, accesses), (0, 0, 1))
        self.assertEqual(a_turn("neoverse-n2", C)[:3], [1, 0, 1])
        self.assertEqual(a_turn("neoverse-n2", I)[0], 0)
        off, on = a_turn("neoverse-n2", I), a_turn("neoverse-n2", I | C)
        self.assertGreater(off[4], on[4])
        self.assertEqual(a_turn("neoverse-n2", 0, "--caches-on"), on)


if __name__ == "__main__":
    unittest.main()
