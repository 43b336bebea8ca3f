"""Programs with newlib behave as under qemu-arm, whose semihosting is another's, and every exact event of the core
counts as much, but for what the start-up code does in privileged modes only.

Three differ, for the reasons given. With the MMU off all memory is Strongly-ordered, where no access is
unaligned. A call of the host is an exception with its return in a program for Linux, as every system call; as
firmware it goes to the host at the SVC, which no vector sees.

usage: newlib.py ARMPMU QEMU_ARM MACHINE CORE ELF...
"""

import csv
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, QEMU_ARM = [str(Path(word).resolve()) for word in sys.argv[1:3]]
MACHINE, CORE = sys.argv[3:5]
ELFS = [str(Path(word).resolve()) for word in sys.argv[5:]]
del sys.argv[1:]
ARGUMENTS = ["12", "34", "5678901234"]
INPUT = "first\nsecond\n" + "x" * 5000 + "\nlast"
CALLS = ["EXC_TAKEN", "EXC_RETURN"]  # those of the host
FILES = "--semihosting=files"
OTHERS = CALLS + ["UNALIGNED_LDST_RETIRED"]
# Start-up code in a privileged mode: looks at the mode, sets a stack for each.
START_UP_MOST = 40


def exact_events():
    done = subprocess.run([ARMPMU, "list", "event", "--core", CORE, "-j"], check=True, text=True,
                          capture_output=True)
    return [row["EventName"] for row in map(json.loads, done.stdout.splitlines()) if row["Fidelity"] == "exact"]


EVENTS = exact_events()


def run(words, folder):
    done = subprocess.run(words, check=False, input=INPUT, text=True, capture_output=True, cwd=folder)
    return done.returncode, done.stdout, done.stderr


def counts(engine, elf, folder):
    done = run([ARMPMU, "stat", "--engine", engine, "--qemu", QEMU_ARM, "--machine", MACHINE,
                "-x;", "-o", "counts", "-e", ",".join(EVENTS), *([FILES] if engine == "unicorn" else []),
                elf, *ARGUMENTS], folder)
    with open(folder + "/counts", encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter=";") if len(row) > 2]
    return done[:2], {row[2]: int(row[0]) for row in rows if row[2] in EVENTS}


class Newlib(unittest.TestCase):
    def judge_calls(self, ours, theirs):
        if not set(CALLS) <= set(EVENTS):
            return
        self.assertEqual([ours[event] for event in CALLS], [0, 0])
        self.assertEqual(theirs["EXC_TAKEN"], theirs["EXC_RETURN"])
        self.assertGreater(theirs["EXC_TAKEN"], 0)

    def test_each(self):
        extra = set()
        for elf in ELFS:
            with self.subTest(elf), tempfile.TemporaryDirectory() as folder:
                right = run([QEMU_ARM, elf, *ARGUMENTS], folder)
                self.assertEqual(run([ARMPMU, "run", "--machine", MACHINE, FILES, elf, *ARGUMENTS],
                                     folder), right)
                self.assertIn(right[0], range(0, 100))
                ran, ours = counts("unicorn", elf, folder)
                ran_there, theirs = counts("qemu", elf, folder)
                self.assertEqual((ran, ran_there), (right[:2], right[:2]))
                self.assertEqual(sorted(ours), sorted(EVENTS))
                extra.add(tuple(ours[event] - theirs[event] for event in EVENTS
                                if event not in OTHERS))
                self.judge_calls(ours, theirs)
        # The same start-up code in all of them, and not one event else.
        self.assertEqual(len(extra), 1, extra)
        for difference in next(iter(extra)):
            self.assertIn(difference, range(-START_UP_MOST, START_UP_MOST + 1))

    def test_words_with_spaces_and_marks(self):
        """qemu-arm shows 'a b' as two words."""
        words = ["a b", "", "'c d", '"e" f', "g'h", " "]
        elf = next(elf for elf in ELFS if "words" in elf)
        shown = run([ARMPMU, "run", "--machine", MACHINE, elf, *words], "/")[1].splitlines()
        self.assertEqual([line.partition(": ")[2] for line in shown[:-1]], words)


if __name__ == "__main__":
    unittest.main()
