"""A signal to the program alone, as the kernel sends one for lack of memory: no output presents the counts up
to that point as those of a complete run. A signal that a program sends itself is its end."""

import contextlib
import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import ARMPMU, PROGRAM, Run

FROM_OUTSIDE = (signal.SIGKILL, signal.SIGHUP, signal.SIGTERM)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-killed-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "out"

    def killed(self, *words, number=signal.SIGKILL):
        """What armpmu says whose program is killed."""
        with Run([*map(str, words), "--", PROGRAM, "loop"]) as run:
            run.ready()
            for pid in run.left():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            status, said = run.ended()
        self.assertEqual(status, 128 + number, said)
        return said

    def armpmu(self, *words):
        return subprocess.run([ARMPMU, *map(str, words)], capture_output=True, text=True, check=False, timeout=60)


class Stat(Case):
    def test_the_report_says_who_was_killed_by_what(self):
        for number in FROM_OUTSIDE:
            said = self.killed("stat", "-e", "instructions", number=number)
            self.assertIn(f"The program was killed by {signal.Signals(number).name}", said)
            self.assertIn("partial", said)
            self.assertNotRegex(said, "INST_RETIRED.*exact")

    def test_every_format_says_so(self):
        said = self.killed("stat", "-e", "instructions", "-x", ",", "-o", self.file)
        self.assertIn("was killed by SIGKILL", said)
        self.assertIn("# killed by signal 9", self.file.read_text())
        self.killed("stat", "-e", "instructions", "-j", "-o", self.file)
        row = json.loads(self.file.read_text())
        self.assertEqual((row["killed"], row["fidelity"]), (9, "partial"))
        self.killed("stat", "-e", "instructions", "--json=1", "-o", self.file)
        document = json.loads(self.file.read_text())
        self.assertEqual((document["complete"], document["killed"]), (False, 9))

    def test_a_signal_of_its_own_is_its_end(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV):
            with self.subTest(number):
                done = self.armpmu("stat", "-e", "instructions", "--", PROGRAM, "raise", int(number))
                self.assertEqual(done.returncode, 128 + number)
                self.assertIn(f"The program was ended by {number.name}.", done.stderr)
                self.assertIn("all exact", done.stderr)
                self.assertNotIn("  partial", done.stderr)


class Compared(Case):
    def test_a_gate_takes_whole_runs_alone(self):
        base = self.folder / "base"
        self.armpmu("stat", "-e", "instructions", "-j", "-o", base, "--", PROGRAM, "work")
        for options in (["-j"], ["--json=1"]):
            self.killed("stat", "-e", "instructions", *options, "-o", self.file)
            done = self.armpmu("diff", base, self.file)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("incomplete run", done.stderr)
            done = self.armpmu("diff", "--fail-above", "instructions=1e9", base, self.file)
            self.assertEqual(done.returncode, 125, done.stdout)
            self.assertIn("incomplete run", done.stderr)
            done = self.armpmu("stat", "--baseline", self.file, "--fail-above", "instructions=1e9", "--", PROGRAM, "work")
            self.assertEqual(done.returncode, 125, done.stderr)


class Record(Case):
    def test_a_profile(self):
        for number in FROM_OUTSIDE:
            said = self.killed("record", "-e", "instructions", "-o", self.file, number=number)
            self.assertIn("not to the program's end", said)
            self.assertIn(f"was killed by {signal.Signals(number).name}", said)
            with contextlib.closing(sqlite3.connect(self.file)) as data:
                self.assertEqual(str(data.execute("SELECT value FROM meta WHERE key = 'is_complete'").fetchone()[0]), "0")
                self.assertEqual(data.execute("SELECT fidelity FROM event").fetchone()[0], "partial")
            self.assertIn("not complete", self.armpmu("report", "-i", self.file).stdout)

    def test_a_trace(self):
        said = self.killed("record", "--trace", self.file)
        self.assertIn("not to the program's end", said)
        self.assertIn("was killed by SIGKILL", said)
        again = self.armpmu("replay", "-e", "instructions", self.file).stderr
        self.assertIn("The program was killed by SIGKILL", again)
        self.assertIn("partial", again)


class Sweep(Case):
    def test_every_format_says_so(self):
        self.assertIn("Not complete: the program was killed by SIGKILL", self.killed("sweep"))
        self.killed("sweep", "--format", "csv", "-o", self.file)
        self.assertIn("# not complete: killed by SIGKILL", self.file.read_text())
        self.killed("sweep", "-j", "-o", self.file)
        self.assertIs(json.loads(self.file.read_text())["is-complete"], False)
        self.killed("sweep", "-j=1", "-o", self.file)
        self.assertIs(json.loads(self.file.read_text())["is-complete"], False)
        self.killed("sweep", "--format=md", "-o", self.file)
        self.assertIn("Not complete: the program was killed by SIGKILL", self.file.read_text())

    def test_a_shard_has_no_result(self):
        jobs = self.folder / "jobs"
        done = self.armpmu("sweep", "--slurm", jobs, "--", PROGRAM, "loop")
        self.assertEqual(done.returncode, 0, done.stderr)
        with subprocess.Popen(["sh", jobs / "sweep.sh", "0"], stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as shard:
            log = jobs / "results/1.log"
            while "ready" not in (log.read_text() if log.exists() else ""):
                self.assertIsNone(shard.poll())
            os.kill(program_of(shard.pid), signal.SIGKILL)
            said = shard.communicate(timeout=60)[1]
        self.assertEqual(shard.returncode, 1, said)
        self.assertIn("no result of program 1", said)
        self.assertEqual([*jobs.glob("results/*.csv"), *jobs.glob("results/*.part")], [])
        self.assertIn("was killed by SIGKILL", log.read_text())
        self.assertEqual(self.armpmu("sweep", "--gather", jobs).returncode, 1)


def program_of(session):
    """QEMU's process in a session."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.getsid(int(folder.name)) == session and "qemu" in os.readlink(folder / "exe"):
                return int(folder.name)
    raise AssertionError("there is no QEMU")


if __name__ == "__main__":
    unittest.main()
