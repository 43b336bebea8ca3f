"""armpmu replay --jobs, --slice and --gather count what one process counts.

usage: replay_slices.py ARMPMU MACHINE PROGRAM [MACHINE PROGRAM]...

PROGRAM: sliced.c, built for Linux. MACHINE: one that runs it; the first is one that can be sliced.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = str(Path(sys.argv[1]).resolve())
RECORDED = [(sys.argv[i], str(Path(sys.argv[i + 1]).resolve())) for i in range(2, len(sys.argv), 2)]
MACHINE, PROGRAM = RECORDED[0]
BIT_EVERY = 997  # bytes


def run(*words):
    return subprocess.run([ARMPMU, *map(str, words)], capture_output=True, text=True, check=False)


class Sliced(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.trace = self.folder / "trace"

    def record(self, machine=MACHINE, program=PROGRAM, *how):
        done = run("record", "--trace", self.trace, "--machine", machine, "--", program, *how)
        self.assertEqual(done.returncode, 0, done.stderr)

    def counts(self, *words):
        report = self.folder / "report"
        done = run("replay", "-j", "-e", "all", "--per-thread", "-o", report, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return report.read_bytes()

    def slices(self, n, *options):
        """The files of all."""
        files = [self.folder / f"slice-{k}" for k in range(1, n + 1)]
        for k, file in enumerate(files, 1):
            done = run("replay", "--slice", f"{k}/{n}", "-o", file, *options, self.trace)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        return files

    def refused(self, sentence, *words):
        done = run("replay", "-n", *words)
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn(sentence, done.stderr)


class Jobs(Sliced):
    def test_on_each_core(self):
        for machine, program in RECORDED:
            self.record(machine, program)
            one = self.counts("--jobs", 1, self.trace)
            for jobs in 2, 3, 8:
                with self.subTest(machine=machine, jobs=jobs):
                    self.assertEqual(self.counts("--jobs", jobs, self.trace), one)

    def test_on_other_machines(self):
        self.record()
        for machine in "neoverse-v1", "neoverse-n2", "cortex-a76", "cortex-a55":
            with self.subTest(machine=machine):
                options = ["--machine", machine, self.trace]
                self.assertEqual(self.counts("--jobs", 3, *options), self.counts(*options))

    def test_where_states_differ(self):
        """Without a warm-up no slice begins as the one before it ended."""
        self.record()
        self.refused("did not begin in the state at the end of slice 1/3", "--gather", self.trace, *self.slices(3, "--warm-up", 0))
        self.assertEqual(self.counts("--jobs", 3, "--warm-up", 0, self.trace), self.counts(self.trace))

    def test_two_processes_of_the_program(self):
        self.record(MACHINE, PROGRAM, "fork")
        self.assertEqual(self.counts("--jobs", 3, self.trace), self.counts(self.trace))
        self.assertEqual(self.counts("--gather", self.trace, *self.slices(3)), self.counts(self.trace))

    def test_periods_of_power_mitigation(self):
        """They begin somewhere in a slice, and are of many lengths."""
        self.record()
        for period in 1, 7, 1000:
            threshold = period // 8
            with self.subTest(period=period):
                options = ["--set", f"mpmm.period_cycles={period}", "--set", f"mpmm.gear0_threshold={threshold}",
                           "--set", f"mpmm.gear1_threshold={2 * threshold}", self.trace]
                self.assertEqual(self.counts("--jobs", 3, *options), self.counts(*options))


class Files(Sliced):
    def test_all_are_needed(self):
        self.record()
        files = self.slices(3)
        self.assertEqual(self.counts("--gather", self.trace, *reversed(files)), self.counts(self.trace))
        self.refused("slice 2/3 is missing", "--gather", self.trace, files[0], files[2])
        self.refused("name the files", "--gather", self.trace)
        self.refused("is a slice of another trace or machine", "--gather", "--set", "l1d.ways=8", self.trace, *files)
        first = self.folder / "first-of-3"
        first.write_bytes(files[0].read_bytes())
        self.refused("slices, the files before it are of 3", "--gather", self.trace, first, *self.slices(2))

    def test_another_trace(self):
        self.record()
        files = self.slices(2)
        self.record(MACHINE, PROGRAM, "fork")
        self.refused("is a slice of another trace or machine", "--gather", self.trace, *files)

    def test_a_damaged_file(self):
        self.record()
        files = self.slices(2)
        whole = files[1].read_bytes()
        for at in range(0, len(whole), BIT_EVERY):
            files[1].write_bytes(whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1:])
            self.refused(f"'{files[1]}' is damaged", "--gather", self.trace, *files)
        for length in 0, 10, 40, len(whole) - 1:
            files[1].write_bytes(whole[:length])
            self.refused(f"'{files[1]}' is damaged", "--gather", self.trace, *files)

    def test_what_cannot_be_sliced(self):
        self.refused("name its file with -o", "--slice", "1/2", self.trace)
        self.refused("must be K/N with N", "--slice", "3/2", "-o", self.folder / "x", self.missing())
        machine, program = RECORDED[1]
        self.record(machine, program)
        self.refused("cannot be counted in slices", "--slice", "1/2", "-o", self.folder / "x", self.trace)
        self.assertFalse((self.folder / "x").exists())

    def missing(self):
        self.record()
        return self.trace


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
