"""armpmu record --trace and armpmu replay: a replayed trace has the counts of a run, and a broken one an error.

usage: replay.py ARMPMU MACHINES MACHINE PROGRAM [MACHINE PROGRAM]...

PROGRAM: live.c, built for Linux. MACHINE: one that runs it. With ARMPMU_TEST_LONG set each trace is replayed on every
machine that can, and in every way.
"""

import json
import os
import signal
import subprocess
import sys
import struct
import tempfile
import time
import unittest
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
from patience import longer_and_longer  # noqa: E402

ARMPMU = str(Path(sys.argv[1]).resolve())
MACHINES = sorted(path.stem for path in Path(sys.argv[2]).glob("*.ini"))
RECORDED = [(sys.argv[i], str(Path(sys.argv[i + 1]).resolve())) for i in range(3, len(sys.argv), 2)]
MACHINE, PROGRAM = RECORDED[0]
LONG = "ARMPMU_TEST_LONG" in os.environ
RECORDS = 3  # the kind of frame


def run(*words):
    return subprocess.run([ARMPMU, *map(str, words)], capture_output=True, text=True, check=False)


def record(trace, machine, program, how, *options):
    done = run("record", "--stable", "--trace", trace, "--machine", machine, *options, "--", program, how)
    assert done.returncode == 0, done.stderr
    return done.stderr


def report(folder, command, *words):
    """What it prints as JSON, of all events."""
    file = Path(folder, "report")
    done = run(command, "-j", "-e", "all", "-o", file, *words)
    assert done.returncode == 0, done.stderr
    return file.read_text()


def count(folder, event, *words):
    lines = map(json.loads, report(folder, "replay", *words).splitlines())
    return next(int(line["counter-value"]) for line in lines if line.get("event") == event)


def runs_on(trace, machine):
    done = run("replay", "-n", "-q", "--machine", machine, trace)
    return "the trace is of a program on" not in done.stderr


class Traced(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = Path(folder.name, "trace")


class Replay(Traced):
    def test_counts_are_those_of_a_run(self):
        for machine, program in RECORDED:
            record(self.trace, machine, program, "alone")
            able = [other for other in MACHINES if runs_on(self.trace, other)]
            self.assertIn(machine, able)
            self.assertGreater(len(able), 1)
            others = [other for other in able if other != machine]
            for other in able if LONG else [machine, others[RECORDED.index((machine, program)) % len(others)]]:
                with self.subTest(machine=other, program=program):
                    live = report(self.folder, "stat", "--stable", "--machine", other, "--", program, "alone")
                    self.assertEqual(report(self.folder, "replay", "--machine", other, self.trace), live)

    def test_threads_processes_and_intervals_are_those_of_a_run(self):
        options = ("--per-thread", "--per-process", "-I100000i")
        for i, (machine, program) in enumerate(RECORDED):
            for j, how in enumerate(("in-turn", "fork")):
                record(self.trace, machine, program, how)
                for option in options if LONG else [options[(i + j) % 3]]:
                    with self.subTest(program=program, how=how, option=option):
                        live = report(self.folder, "stat", "--stable", "--machine", machine, option, "--", program, how)
                        self.assertEqual(report(self.folder, "replay", option, self.trace), live)

    def test_settings_are_those_of_a_run(self):
        record(self.trace, MACHINE, PROGRAM, "alone")
        words = ("--machine", MACHINE, "--set", "l1d.size_kb=16", "--seed", "7")
        live = report(self.folder, "stat", "--stable", *words, "--", PROGRAM, "alone")
        self.assertEqual(report(self.folder, "replay", *words, self.trace), live)

    def test_it_names_no_file(self):
        path = Path(self.folder, "some-where", "own.ini")
        path.parent.mkdir()
        path.write_text((Path(sys.argv[2]) / f"{MACHINE}.ini").read_text(encoding="ascii"), encoding="ascii")
        record(self.trace, str(path), PROGRAM, "alone")
        self.assertNotIn(b"some-where", self.trace.read_bytes())
        self.assertIn("it was recorded with a machine file; name one with --machine", refused(self, "replay", self.trace))
        self.assertEqual(run("replay", "-q", "--machine", path, self.trace).returncode, 0)

    def test_several_machines_are_reported_one_after_the_other(self):
        record(self.trace, MACHINE, PROGRAM, "alone")
        names = [name for name in MACHINES if runs_on(self.trace, name)][:2]
        both = report(self.folder, "replay", "--machine", ",".join(names), self.trace)
        self.assertEqual(both, "".join(report(self.folder, "replay", "--machine", name, self.trace) for name in names))

    def test_its_own_exit_status_is_not_the_programs(self):
        done = run("record", "--trace", self.trace, "--machine", MACHINE, "--", PROGRAM, "abort")
        self.assertEqual(done.returncode, 134, done.stderr)
        done = run("replay", "--json=1", "-o", self.trace.with_name("document"), self.trace)
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(self.trace.with_name("document").read_text())
        self.assertEqual(document["exit-status"], 134)


class Interrupted(Traced):
    """What was recorded until then is a trace."""

    def interrupt(self, number, seconds=0.0):
        """So long after the trace has begun."""
        self.trace.unlink(missing_ok=True)
        words = [ARMPMU, "record", "--trace", self.trace, "--machine", MACHINE, "--", PROGRAM, "for-ever"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True) as recording:
            while not self.trace.exists() or self.trace.stat().st_size < 5000:
                time.sleep(0.01)
            time.sleep(seconds)
            recording.send_signal(number)
            return recording.wait(), recording.stderr.read()

    def test_by_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            for seconds in longer_and_longer(0.01):
                status, said = self.interrupt(number, seconds)
                self.assertEqual(status, 128 + number, said)
                self.assertIn("not to the program's end", said)
                if count(self.folder, "INST_RETIRED", self.trace) > 100000:
                    break

    def test_a_recording_that_was_killed_says_so(self):
        self.interrupt(signal.SIGKILL)
        self.assertIn("is truncated after", refused(self, "replay", self.trace))

    def test_a_time_that_is_over(self):
        for seconds in longer_and_longer(1):
            done = run("record", "--timeout", seconds, "--trace", self.trace, "--machine", MACHINE, "--", PROGRAM, "for-ever")
            self.assertEqual(done.returncode, 124, done.stderr)
            if count(self.folder, "INST_RETIRED", self.trace) > 100000:
                break


def refused(test, *words):
    """One line of error, and nothing else."""
    done = run(*words)
    test.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (125, "", 1), done.stderr)
    test.assertTrue(done.stderr.startswith("armpmu: "), done.stderr)
    return done.stderr


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="armpmu-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.whole = cls.folder / "whole"
        record(cls.whole, MACHINE, PROGRAM, "alone")
        cls.bytes = cls.whole.read_bytes()


class Broken(Recorded):
    def refuses(self, content):
        broken = self.folder / "broken"
        broken.write_bytes(content)
        return refused(self, "replay", broken)

    def test_a_flipped_bit_anywhere(self):
        n = len(self.bytes)
        for at in {*range(0, 40, 2), *range(40, n, n // 60), *range(n - 40, n, 2)}:
            content = bytearray(self.bytes)
            content[at] ^= 1 << at % 8
            with self.subTest(at=at):
                said = self.refuses(content)
                self.assertRegex(said, "damaged|is truncated|is not a trace")

    def test_a_file_that_is_shorter_or_longer(self):
        n = len(self.bytes)
        for length in {*range(0, 45, 3), *range(45, n, n // 20), *range(n - 20, n, 2)}:
            with self.subTest(length=length):
                self.assertRegex(self.refuses(self.bytes[:length]), "is truncated after|is not a trace")
        self.assertIn("is truncated", self.refuses(self.bytes + b"x"))

    def test_foreign_files(self):
        for content in (b"#!/bin/sh\n" * 20, Path(ARMPMU).read_bytes()[:100000], self.bytes[1:], bytes(1000)):
            self.assertIn("is not a trace: 'armpmu record --trace FILE' writes one", self.refuses(content))
        self.assertIn("No such file", refused(self, "replay", self.folder / "none"))
        self.assertIn("not a regular file", refused(self, "replay", "/dev/null"))
        self.assertIn("not a regular file", refused(self, "replay", self.folder))

    def test_a_newer_format(self):
        header = self.bytes[:8] + struct.pack("<I", 4)
        said = self.refuses(header + struct.pack("<I", zlib.crc32(header)) + self.bytes[16:])
        self.assertRegex(said, r"has version 4 of the format, this armpmu \S+ reads versions up to 3")

    def test_another_processor(self):
        for machine in MACHINES:
            if not runs_on(self.whole, machine):
                said = refused(self, "replay", "--machine", machine, self.whole)
                self.assertIn(f"as with --machine {MACHINE}", said)
        self.assertFalse(all(runs_on(self.whole, machine) for machine in MACHINES))

    def test_a_full_disk(self):
        done = run("record", "--trace", "/dev/full", "--machine", MACHINE, "--", PROGRAM, "alone")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (125, 1), done.stderr)
        self.assertIn("cannot write /dev/full: No space left on device", done.stderr)

    def test_options_that_do_not_go_with_a_trace(self):
        for option in ("-e=cycles", "-g", "-I1", "-odata", "-D1", "--roi=main", "--guest", "--seed=1",
                       "--set=l2.size_kb=128", "--max-insns=5"):
            said = refused(self, "record", "--trace", self.folder / "other", option, "--", PROGRAM)
            self.assertIn("cannot be combined with --trace", said)
        self.assertFalse((self.folder / "other").exists())
        program = self.folder / "program"
        program.write_bytes(Path(PROGRAM).read_bytes())
        self.assertIn("is also the file of the program", refused(self, "record", "--trace", program, "--", program))

    def test_a_program_that_cannot_run_leaves_no_trace(self):
        done = run("record", "--trace", self.folder / "other", "--", "/nowhere/program")
        self.assertEqual((done.returncode, (self.folder / "other").exists()), (127, False))


def frames(trace):
    """Where each begins, and of which kind it is."""
    at = 16
    while at + 24 < len(trace):
        kind, _, _, stored = struct.unpack_from("<4I", trace, at)
        yield at, kind
        at += 24 + stored


class Seeking(Recorded):
    """Parts of a trace, of which only what they need is read."""

    def insns(self, *words):
        return count(self.folder, "INST_RETIRED", *words, self.whole)

    def test_parts_add_up(self):
        total = self.insns()
        self.assertGreater(total, 2000000)
        for place in (1000, total // 3, total - 1000):
            first, rest = self.insns("--to", place), self.insns("--from", place)
            self.assertEqual(first + rest, total)
            self.assertLess(abs(first - place), 600)
        self.assertEqual(self.insns("--to", total + 1000), total)
        middle = self.insns("--from", "500000", "--to", "700000")
        self.assertLess(abs(middle - 200000), 600)

    def test_what_lies_before_is_not_read(self):
        content = bytearray(self.bytes)
        records = [at for at, kind in frames(self.bytes) if kind == RECORDS]
        self.assertGreater(len(records), 3)
        content[records[1] + 30] ^= 1
        self.whole = self.folder / "damaged"
        self.whole.write_bytes(content)
        refused(self, "replay", self.whole)
        total = count(self.folder, "INST_RETIRED", self.folder / "whole")
        self.assertGreater(self.insns("--from", total - 1000), 500)
        self.assertGreater(self.insns("--to", 1000), 500)

    def test_ranges_that_are_none(self):
        for words in (("--from", "5", "--to", "5"), ("--to", "0"), ("--from", "x")):
            refused(self, "replay", *words, self.whole)
        done = refused(self, "replay", "--from", self.insns() + 1000, self.whole)
        self.assertIn("--from: the trace has no whole block of instructions there", done)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    unittest.main(argv=sys.argv[:1])
