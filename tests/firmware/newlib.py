"""Programs with newlib behave as under qemu-arm, whose semihosting is another's, and retire as many
instructions and make as many accesses and branches, but for what the start-up code does in privileged modes only.
Unaligned accesses are left out: with the MMU off all memory is Strongly-ordered, where there are none.

usage: newlib.py ARMPMU QEMU_ARM ELF...
"""

import csv
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, QEMU_ARM, *ELFS = [str(Path(word).resolve()) for word in sys.argv[1:]]
del sys.argv[1:]
ARGUMENTS = ["12", "34", "5678901234"]
INPUT = "first\nsecond\n" + "x" * 5000 + "\nlast"
EVENTS = ["INST_RETIRED", "LD_RETIRED", "ST_RETIRED", "BR_IMMED_RETIRED", "PC_WRITE_RETIRED",
          "BR_RETURN_RETIRED"]
# Start-up code in a privileged mode: looks at the mode, sets a stack for each.
START_UP_MOST = 40


def run(words, folder):
    done = subprocess.run(words, check=False, input=INPUT, text=True, capture_output=True,
                          timeout=120, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def counts(engine, elf, folder):
    done = run([ARMPMU, "stat", "--engine", engine, "--qemu", QEMU_ARM, "-x;", "-o", "counts",
                "-e", ",".join(EVENTS), elf, *ARGUMENTS], folder)
    with open(folder + "/counts", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter=";") if len(row) > 2]
    return done[:2], {row[2]: int(row[0]) for row in rows if row[2] in EVENTS}


class Newlib(unittest.TestCase):
    def test_each(self):
        extra = set()
        for elf in ELFS:
            with self.subTest(elf), tempfile.TemporaryDirectory() as folder:
                right = run([QEMU_ARM, elf, *ARGUMENTS], folder)
                self.assertEqual(run([ARMPMU, "run", elf, *ARGUMENTS], folder), right)
                self.assertIn(right[0], range(0, 100))
                ran, ours = counts("unicorn", elf, folder)
                ran_there, theirs = counts("qemu", elf, folder)
                self.assertEqual((ran, ran_there), (right[:2], right[:2]))
                self.assertEqual(sorted(ours), sorted(EVENTS))
                extra.add(tuple(ours[event] - theirs[event] for event in EVENTS))
        # The same start-up code in all of them, and not one event else.
        self.assertEqual(len(extra), 1, extra)
        for difference in next(iter(extra)):
            self.assertIn(difference, range(-START_UP_MOST, START_UP_MOST + 1))


if __name__ == "__main__":
    unittest.main()
