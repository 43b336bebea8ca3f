"""What the recorder writes, and what it must not change.

Runs Arm programs with and without the recorder (watch_trace), beside an independent plugin that counts
instructions one by one (count_insns). The places of both and of the programs come as environment
variables from meson.build."""

import os
import re
import signal
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

WATCH = os.environ["WATCH_TRACE"]
COUNTER = os.environ["COUNT_INSNS"]
PROGRAMS = {Path(p).name: p for p in os.environ["PROGRAMS"].split(":")}
RECORDS = Path(os.environ["RECORDS"])
QEMU = ["qemu-arm", "-cpu", "cortex-a8", "-seed", "1"]
CROSS = "/usr/arm-linux-gnueabihf"
# The guest's stack holds its environment: the same for every run. Functions are bound before it
# starts: which of its threads would bind one first is a race, in the C library's own calls too.
ENVIRONMENT = {"PATH": os.environ["PATH"], "ARMPMU_PLUGIN": os.environ["RECORDER"],
               "LD_BIND_NOW": "1"}
# A guest that hangs up itself must end of it, under nohup, too.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
STREAM = re.compile(r"stream (\d+)\.(\d+) blocks (\d+) insns (\d+) accesses (\d+) end (\w+)")


def run(command, environment=None, **options):
    return subprocess.run(command, capture_output=True, text=True,
                          env={**ENVIRONMENT, **(environment or {})}, **options)


class Recorded:
    """A program run under the recorder: what came out, and what the streams say."""

    def __init__(self, *program, quiet=True, stdin="", environment=None):
        with tempfile.TemporaryFile("w+") as report:
            os.dup2(report.fileno(), 9)
            self.run = run([WATCH] + (["-q"] if quiet else []) + list(program), input=stdin,
                           environment=environment, pass_fds=[9])
            os.close(9)
            report.seek(0)
            self.lines = report.read().splitlines()
        self.status = self.run.returncode
        self.streams = {}
        for line in self.lines:
            found = STREAM.fullmatch(line)
            if found:
                process, thread, blocks, insns, accesses, end = found.groups()
                self.streams[int(process), int(thread)] = (int(insns), end)


def plain(*program, stdin=""):
    """Status as a shell gives it, standard output and error."""
    done = run(QEMU + ["-0", program[0], "-L", CROSS, *program], input=stdin)
    status = done.returncode if done.returncode >= 0 else 128 - done.returncode
    return status, done.stdout, done.stderr


def recorded_and_counted(*program):
    """A run under the recorder and the independent plugin, and the instructions of each of its guest
    threads by the latter. One run of both: which of two threads has to wait is a race."""
    with tempfile.TemporaryDirectory() as folder:
        out, qemu = Path(folder, "counts"), Path(folder, "qemu-arm")
        qemu.write_text(f"#!/bin/sh\nexec {QEMU[0]} -plugin 'file={COUNTER},out={out}' \"$@\"\n",
                        encoding="utf-8")
        qemu.chmod(0o755)
        recorded = Recorded(*program, environment={"ARMPMU_QEMU": str(qemu)})
        numbers = struct.unpack("=1024Q", out.read_bytes())
    return recorded, [n for n in numbers if n]


class Words(unittest.TestCase):
    """The words of small programs, one by one, as their sources list them."""

    def check(self, name):
        source = (RECORDS / (name + ".S")).read_text(encoding="utf-8")
        expected = re.findall(r"@ words: (.*)", source)
        status = int(re.search(r"@ status: (\d+)", source).group(1))
        recorded = Recorded(PROGRAMS["records_" + name], quiet=False)
        self.assertEqual(recorded.lines, expected)
        self.assertEqual(recorded.status, status)

    def test_every_kind_of_word_in_a32(self):
        self.check("a32")

    def test_every_kind_of_word_in_t32(self):
        self.check("t32")

    def test_a_fault_cuts_its_block(self):
        self.check("fault")

    def test_a_fault_cuts_a_load_multiple(self):
        self.check("fault_multiple")

    def test_accesses_that_all_happen(self):
        self.check("fixed")

    def test_an_undefined_instruction_ends_its_block(self):
        self.check("undefined")


class Guests(unittest.TestCase):
    """Behaviour with the recorder is behaviour without it, for both instruction sets, static and
    dynamic."""

    GUESTS = [PROGRAMS["guest_a32_static"], PROGRAMS["guest_t32_dynamic"]]

    def same(self, *case, status, stdin=""):
        recorded = []
        for guest in self.GUESTS:
            with self.subTest(guest=guest):
                expected = plain(guest, *case, stdin=stdin)
                got = Recorded(guest, *case, stdin=stdin)
                self.assertEqual((got.status, got.run.stdout, got.run.stderr), expected)
                self.assertEqual(got.status, status)
                recorded.append(got)
        return recorded

    def ends(self, recorded):
        return {who: end for who, (insns, end) in recorded.streams.items()}

    def counts_agree(self, *case):
        for guest in self.GUESTS:
            with self.subTest(guest=guest):
                recorded, counted = recorded_and_counted(guest, *case)
                self.assertEqual([insns for insns, end in recorded.streams.values()], counted)

    def test_exit_code(self):
        self.same("exit_code", status=42)
        self.counts_agree("exit_code")

    def test_descriptors_and_mask(self):
        for got in self.same("first_descriptor", status=0):
            self.assertEqual(got.run.stdout, "descriptor 3, blocked 0\n")
        self.counts_agree("first_descriptor")

    def test_standard_streams(self):
        self.same("copy_input", status=0, stdin="a line\n" * 1000)

    def test_fork(self):
        for got in self.same("fork_and_wait", status=3):
            self.assertEqual(set(self.ends(got)), {(1, 1), (2, 1), (3, 1), (4, 1)})
            children = [got.streams[n, 1] for n in (2, 3, 4)]
            self.assertEqual(len(set(children)), 1)
            self.assertGreater(children[0][0], 300000)

    def test_killed_child(self):
        for got in self.same("child_is_killed", status=0):
            self.assertIn((2, 1), self.ends(got))

    def test_child_executes_a_host_program(self):
        for got in self.same("vfork_and_exec", status=0):
            self.assertEqual(self.ends(got), {(1, 1): "exit", (2, 1): "exec"})

    def test_program_replaces_itself(self):
        for got in self.same("exec_itself", status=5):
            self.assertEqual(self.ends(got), {(1, 1): "exec"})

    def test_exec_that_fails(self):
        for got in self.same("exec_fails", status=6):
            self.assertEqual(self.ends(got), {(1, 1): "exit"})
        self.counts_agree("exec_fails")

    def test_threads_one_after_the_other(self):
        for got in self.same("threads", status=0):
            self.assertEqual(sorted(self.ends(got)), [(1, n) for n in range(1, 6)])

    def test_counts_of_threads(self):
        for case in ("threads", "threads_together"):
            for guest in self.GUESTS:
                with self.subTest(case=case, guest=guest):
                    recorded, counted = recorded_and_counted(guest, case)
                    insns = [insns for insns, end in recorded.streams.values()]
                    self.assertEqual(len(insns), 5)
                    self.assertEqual(sorted(insns), sorted(counted))

    def test_handler_that_jumps_out(self):
        for got in self.same("recover_from_fault", status=0):
            self.assertEqual(got.run.stdout, "10 of 10 faulted\n")

    def test_timer_signals(self):
        self.same("alarms", status=0)

    def test_child_signal(self):
        self.same("child_signal", status=0)

    def test_fatal_signals(self):
        for number in (1, 2, 6, 9, 15):
            for got in self.same("signal", str(number), status=128 + number):
                self.assertEqual(self.ends(got), {(1, 1): "exit"})

    def test_fault_of_a_thread(self):
        for got in self.same("thread_faults", status=139):
            self.assertEqual(self.ends(got)[1, 2], "fault")

    def test_the_same_twice(self):
        for case in ("exit_code", "fork_and_wait", "recover_from_fault"):
            first, second = (Recorded(self.GUESTS[1], case, quiet=False) for _ in range(2))
            self.assertIn((1, 1), first.streams, first.run)
            self.assertEqual(first.lines, second.lines)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    unittest.main()
