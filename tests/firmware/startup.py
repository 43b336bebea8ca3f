"""Start-up code of examples/startup: the program behind it computes with doubles, and its data stays in the caches.

usage: startup.py ARMPMU READELF MACHINE PROGRAM
"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, READELF, MACHINE, PROGRAM = sys.argv[1:]
del sys.argv[1:]


def run(*words):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False)


def value_of(symbol):
    """Bit 0 says T32."""
    rows = subprocess.run([READELF, "-sW", PROGRAM], capture_output=True, text=True, check=True).stdout.splitlines()
    return next(int(row.split()[1], 16) for row in rows if row.split()[-1:] == [symbol])


class Startup(unittest.TestCase):
    def test_the_sum_is_right_and_memory_is_cached(self):
        answer = run("stat", "-j", "-e", "instructions,cycles", "--machine", MACHINE, PROGRAM)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        insns, cycles = (int(json.loads(line)["counter-value"]) for line in answer.stderr.splitlines()
                         if '"event"' in line)
        # 102,400 times an addition, a load and a branch, in the XScale by a function. A load from memory is dozens.
        self.assertGreater(insns, 4 * 102400)
        self.assertLess(cycles, 4 * insns)

    def test_without_it_the_program_says_what_is_missing(self):
        """From newlib's own start. An XScale computes without an FPU, but has no cache."""
        if "neoverse" in MACHINE:
            self.skipTest("there is no other start")
        image = bytearray(Path(PROGRAM).read_bytes())
        image[24:28] = value_of("_start").to_bytes(4, "little")  # e_entry
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder, "other.elf")
            other.write_bytes(image)
            answer = run("stat", "-e", "instructions,cycles", "--machine", MACHINE, "--max-insns", "3000000", str(other))
        if "cortex" in MACHINE:
            self.assertIn("is the FPU's, which is off after a reset: enable it first", answer.stderr)
        else:
            self.assertIn("its caches are off", answer.stderr)
        self.assertIn("examples/startup", answer.stderr)


if __name__ == "__main__":
    unittest.main()
