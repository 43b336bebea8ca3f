"""What is counted does not depend on whether the engine looks at every instruction.

usage: watched.py ARMPMU PLAIN.elf WATCHED.elf [PLAIN.elf WATCHED.elf]...
"""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, *ELFS = [str(Path(word).resolve()) for word in sys.argv[1:]]
del sys.argv[1:]
# Modelled events that may depend on where blocks are parted, and how little: a part of the count.
TIMING = {"CPU_CYCLES": 1e-3, "WRITE_BUFFER_FULL_CYCLES": 2e-2, "MEMORY_REPLAY": 2e-2,
          "ISSUE_EMPTY_CYCLES": 1e-3, "AXI_READ_BEATS": 1e-3, "AXI_WRITE_BEATS": 1e-3}


def counts(elf, *words):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([ARMPMU, "stat", *words, "-x;", "-o", "counts", "-e", "all",
                        "--semihosting=files", elf, "7", "8"],
                       check=False, stdin=subprocess.DEVNULL, capture_output=True,
                       cwd=folder)
        with open(folder + "/counts", encoding="utf-8") as file:
            rows = [row for row in csv.reader(file, delimiter=";") if len(row) > 2]
    return {row[2]: int(row[0]) for row in rows if row[2] and row[0].isdigit()}


class Watched(unittest.TestCase):
    def test_each(self):
        for plain, watched in zip(ELFS[::2], ELFS[1::2]):
            with self.subTest(plain):
                expected, got = counts(plain, "--caches-on"), counts(watched, "--caches-on")
                self.assertGreater(expected["INST_RETIRED"], 1000)
                self.assertEqual(sorted(expected), sorted(got))
                for event, count in expected.items():
                    if event in TIMING:
                        self.assertAlmostEqual(got[event], count, delta=TIMING[event] * count + 2)
                    else:
                        self.assertEqual(got[event], count, event)

    def test_each_with_caches_off(self):
        """Memory is busy all the time: then all that hangs on when stores come differs more."""
        for plain, watched in zip(ELFS[::2], ELFS[1::2]):
            with self.subTest(plain):
                expected, got = counts(plain), counts(watched)
                for event in expected.keys() - TIMING.keys():
                    self.assertEqual(got[event], expected[event], event)
                self.assertAlmostEqual(got["CPU_CYCLES"], expected["CPU_CYCLES"], delta=1e-3 * expected["CPU_CYCLES"])


if __name__ == "__main__":
    unittest.main()
