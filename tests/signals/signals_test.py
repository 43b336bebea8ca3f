"""Signals to armpmu and the life of what it starts: each signal leads to a report or a message, to the right status,
and leaves no process behind. points_test.py sends them at points of time, this one at steps and in states.

RACES: how many random races of a signal with the start of a program (default 40, with ARMPMU_TEST_LONG set 200).
"""

import itertools
import json
import os
import random
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import harness
from harness import PATIENCE, PROGRAM, REPORT, Run, as_in_a_terminal, judge, stat, state_of

RACES = int(os.environ.get("RACES", "200" if "ARMPMU_TEST_LONG" in os.environ else "40"))
AGAIN = "The counting ended before the program did"
NUMBERS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


class Start(unittest.TestCase):
    """The program's start is many steps, and a signal may come at each."""

    def at_step(self, n, who, number, **more):
        """Whether there is such a step, and what went wrong. It has been by when the program is there."""
        steps = {"STEPS_AT": str(n), "STEPS_IN": who, "STEPS_SIGNAL": str(int(number))} | more
        with Run(stat("loop"), steps) as run:
            there = run.process.stdout.readline() == "ready\n"
            # Half a second: it comes soon after the program's start, or is one of those that armpmu makes again and again
            # while it waits. A busy computer tries fewer of these.
            for _ in range(25 if there else 1):
                sent = run.has_told(b"s")
                if sent:
                    break
                time.sleep(0.02)
            if not sent:
                run.send(number)
            return sent, judge(run, number)

    def every_step(self, who, numbers, **more):
        for n in itertools.count(1):
            number = numbers[n % len(numbers)]
            sent, wrong = self.at_step(n, who, number, **more)
            self.assertIsNone(wrong, f"step {n} of {who}, signal {number}")
            if not sent:
                return n - 1

    def test_each_step_of_armpmu(self):
        self.assertGreater(self.every_step("armpmu", [signal.SIGINT]), 8)

    def test_each_step_of_the_child_before_it_is_a_program(self):
        self.assertGreater(self.every_step("child", [signal.SIGINT, signal.SIGTERM]), 6)

    def test_each_step_with_a_signal_to_the_whole_group(self):
        self.every_step("armpmu", [signal.SIGINT], STEPS_GROUP="1")

    def test_random_races(self):
        source = random.Random(7)
        for i in range(RACES):
            number = source.choice(NUMBERS)
            jitter = source.choice((0, 300, 3000))
            with Run(stat("loop"), {"STEPS_JITTER": str(jitter), "STEPS_SEED": str(i)}) as run:
                time.sleep(source.uniform(0, 0.02 + jitter * 2e-5))
                run.send(number)
                self.assertIsNone(judge(run, number), f"race {i}, jitter {jitter}, signal {number}")


class Interrupts(unittest.TestCase):
    def test_the_program_is_ended_and_counted(self):
        for number in NUMBERS:
            with Run(stat("loop")) as run:
                run.ready()
                run.send(number)
                status, said = run.ended()
            self.assertEqual(status, 128 + number)
            self.assertIn("The program was interrupted", said)

    def test_a_second_one_soon_after_loses_nothing(self):
        for i in range(25):
            with Run(stat("loop")) as run:
                run.ready()
                time.sleep(0.05)
                run.send(signal.SIGINT)
                time.sleep(0.010 + i * 0.0008)
                run.send(signal.SIGINT)
                self.assertIsNone(judge(run, signal.SIGINT), f"run {i}")

    def test_many_are_as_two(self):
        with Run(stat("loop")) as run:
            run.ready()
            for _ in range(30):
                run.send(signal.SIGINT)
                time.sleep(0.005)
            self.assertIsNone(judge(run, signal.SIGINT))

    def test_who_ignores_them_goes_on_until_the_second(self):
        with Run(stat("ignore")) as run:
            run.ready()
            run.send(signal.SIGINT)
            with self.assertRaises(subprocess.TimeoutExpired):
                run.process.wait(0.5)
            run.insist(signal.SIGINT)
            status, said = run.ended()
            self.assertTrue(run.all_gone())
        self.assertEqual(status, 130)
        self.assertIn(AGAIN, said)
        self.assertIn(REPORT, said)

    def test_who_ignores_the_first_is_killed_soon(self):
        for number, words in ((signal.SIGINT, ["ignore"]), (signal.SIGINT, ["family", "ignore"])):
            with Run(stat(*words)) as run:
                run.ready()
                run.send(number)
                status, said = run.ended()
                self.assertTrue(run.all_gone())
            self.assertEqual(status, 128 + number)
            self.assertIn(AGAIN, said)
            self.assertIn(REPORT, said)

    def test_a_report_that_nobody_reads(self):
        with harness.fifo() as path, Run(["stat", "-o", path, "-e", REPORT, "--", PROGRAM, "loop"]) as run:
            run.ready()
            run.send(signal.SIGTERM)
            status, said = run.ended()
        self.assertEqual(status, 125)
        self.assertIn("no process has opened it for reading", said)

    def test_intervals_in_a_file_are_there_when_it_is_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "intervals")
            with Run(["stat", "-j", "-I", "10", "-o", path, "-e", REPORT, "--", PROGRAM, "loop"]) as run:
                run.ready()
                while not path.exists() or path.stat().st_size == 0:
                    time.sleep(0.02)
                run.send(signal.SIGKILL)
                self.assertTrue(run.all_gone())
            lines = path.read_text(encoding="ascii").splitlines()
            self.assertIn("counter-value", json.loads(lines[0]))

    def test_the_second_ends_children_too(self):
        with Run(stat("family", "ignore")) as run:
            run.ready()
            self.assertEqual(run.has_left(3), 3)
            run.send(signal.SIGINT)
            time.sleep(0.05)
            run.insist(signal.SIGINT)
            status, said = run.ended()
            self.assertTrue(run.all_gone())
        self.assertEqual(status, 130)
        self.assertIn(AGAIN, said)

    def test_who_catches_them_ends_as_it_likes(self):
        with Run(stat("tidy")) as run:
            run.ready()
            run.send(signal.SIGINT)
            status, said = run.ended()
        self.assertEqual(status, 5)
        self.assertNotIn("interrupted", said)
        self.assertIn(REPORT, said)

    def test_sent_twice_at_once_is_one(self):
        """As timeout(1) does: to its child, and to the child's group."""
        with Run(["stat", "-e", REPORT, "--", PROGRAM, "tidy"]) as run:
            run.ready()
            os.kill(run.process.pid, signal.SIGINT)
            os.killpg(run.process.pid, signal.SIGINT)
            status, _ = run.ended()
        self.assertEqual(status, 5)

    def test_a_series_ends(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with Run(stat("work", options=["-r", "1000"])) as run:
                for _ in range(3):
                    run.ready()
                run.send(number)
                self.assertIsNone(judge(run, number))

    def test_a_check_ends(self):
        for seconds in (0.1, 1):
            with Run(["check"]) as run:
                time.sleep(seconds)
                run.send(signal.SIGTERM)
                shown, said = run.process.communicate(timeout=harness.PATIENCE)
                caught = run.has_told(b"c")
                self.assertTrue(run.all_gone())
            if harness.BEFORE in said or not caught:
                self.assertEqual(run.process.returncode, -signal.SIGTERM)
            else:
                self.assertEqual(run.process.returncode, 128 + signal.SIGTERM)
                self.assertIn("interrupted, the rest was not run", shown)

    def test_a_machine_file_that_never_comes(self):
        """armpmu does not wait for whoever writes it: it ends with a message."""
        with harness.fifo() as path, Run(["stat", "--machine", path, "--", PROGRAM]) as run:
            status, said = run.ended()
        self.assertEqual(status, 125)
        self.assertIn(path, said)


class Whatif(unittest.TestCase):
    """Of one recording there are many replays, which are compared."""

    def test_an_interrupt_of_the_program_is_none_of_its_replays(self):
        with Run(["whatif", "-j=1", "--", PROGRAM, "loop"]) as run:
            run.ready()
            time.sleep(0.3)
            run.send(signal.SIGINT)
            document = json.loads(run.process.communicate(timeout=PATIENCE)[0])
            self.assertEqual((run.process.returncode, document["ended-early"]), (130, "interrupted by SIGINT"))
        for row in document["trials"]:
            self.assertLess(row.get("cycles", 0), 1.1 * document["cycles"], row)

    def test_replays_that_are_cut_are_not_compared(self):
        with Run(["whatif", "-j=1", "--", PROGRAM, "loop"]) as run:
            run.ready()
            time.sleep(0.3)
            run.send(signal.SIGINT)
            self.assertTrue(run.all_gone())
            run.insist(signal.SIGINT)
            report, said = run.process.communicate(timeout=PATIENCE)
        self.assertEqual(report, "")
        self.assertIn(run.process.returncode, (130, -signal.SIGINT), said)
        self.assertIn("there is no report", said)


class Killed(unittest.TestCase):
    """kill -9 of armpmu, which nobody has waited for yet."""

    def killed(self, n, *words, options=(), executes=None):
        run = Run(stat(*words, options=options))
        with run:
            run.ready()
            if executes:
                run.has_executed(executes)
            before = run.has_left(n)
            os.kill(run.process.pid, signal.SIGKILL)
            gone = run.all_gone(*[3] * bool(options))  # what is to stay is seen to stay for so long
            self.assertEqual(run.reaches("Z"), "Z")  # its memory may still be given back when the program is gone
            return before, gone

    def test_the_program_ends(self):
        self.assertEqual(self.killed(1, "loop"), (1, True))

    def test_its_threads_and_children_end(self):
        self.assertEqual(self.killed(3, "family"), (3, True))

    def test_what_it_has_become_ends(self):
        self.assertEqual(self.killed(1, "execute", executes="sleep"), (1, True))

    def test_it_goes_on_where_that_is_asked_for(self):
        self.assertEqual(self.killed(1, "loop", options=["--keep-running"]), (1, False))
        self.assertEqual(self.killed(3, "family", options=["--keep-running"]), (3, False))

    def test_it_runs_to_its_end_where_that_is_asked_for(self):
        """Longer than the ring is: it does not wait for a reader."""
        with Run(stat("work", options=["--keep-running"])) as run:
            run.ready()
            run.send(signal.SIGKILL)
            self.assertTrue(run.all_gone())

    def test_while_it_is_stopped(self):
        with Run(stat("loop")) as run:
            run.ready()
            run.send(signal.SIGSTOP)
            time.sleep(0.3)  # the program fills the ring and waits
            run.send(signal.SIGKILL)
            self.assertTrue(run.all_gone())

    @unittest.skipUnless(harness.FIRMWARE, "no firmware")
    def test_firmware_cannot_go_on(self):
        with Run(stat(program=harness.FIRMWARE, options=["--keep-running"])) as run:
            status, said = run.ended()
        self.assertEqual(status, 125)
        self.assertIn("--keep-running", said)


class Terminal(unittest.TestCase):
    """Jobs of a shell."""

    def stops(self):
        """Stops a job; None where its program ended before, as it may on a busy computer."""
        with Run(stat("work")) as run:
            run.ready()
            os.killpg(run.process.pid, signal.SIGTSTP)
            pids = [run.process.pid, *run.left()]
            while len(pids) == 2 and [state_of(pid) for pid in pids] != ["T", "T"]:
                time.sleep(0.02)
            os.killpg(run.process.pid, signal.SIGCONT)
            return run.ended() if len(pids) == 2 else None

    def test_a_stopped_job_goes_on(self):
        status, said = next(filter(None, (self.stops() for _ in range(100))))
        self.assertEqual(status, 3)
        self.assertIn(REPORT, said)

    def test_a_stopped_armpmu_counts_the_same(self):
        with Run(stat("work")) as run:
            expected = run.ended()
        for i in range(5):
            with Run(stat("work")) as run:
                time.sleep(0.04 * i)
                run.send(signal.SIGSTOP)
                time.sleep(0.1)
                run.send(signal.SIGCONT)
                self.assertEqual(run.ended(), expected)

    def test_nohup(self):
        def nohup():
            as_in_a_terminal()
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        with Run(stat("ignored"), prepare=nohup) as run:
            self.assertEqual(run.ready(), [f"ignores {int(signal.SIGHUP)}\n"])
            os.killpg(run.process.pid, signal.SIGHUP)
            with self.assertRaises(subprocess.TimeoutExpired):
                run.process.wait(0.3)
            run.send(signal.SIGTERM)
            self.assertIsNone(judge(run, signal.SIGTERM))

    def test_in_the_background(self):
        def background():
            as_in_a_terminal()
            for number in (signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_IGN)

        with Run(stat("ignored"), prepare=background) as run:
            self.assertEqual(run.ready(), ["ignores 2\n", "ignores 3\n"])
            run.send(signal.SIGINT)
            with self.assertRaises(subprocess.TimeoutExpired):
                run.process.wait(0.3)
            run.send(signal.SIGHUP)
            self.assertIsNone(judge(run, signal.SIGHUP))


class WithoutProc(unittest.TestCase):
    def test_stat_counts_all_the_same(self):
        with Run(stat("work"), {"STEPS_PROC": "1"}) as run:
            status, said = run.ended()
        self.assertEqual(status, 3)
        self.assertIn(REPORT, said)

    def test_the_plugin_is_found_all_the_same(self):
        words = ["guest", "--print-args"]
        with Run(words) as run, Run(words, {"STEPS_PROC": "1"}) as without:
            self.assertEqual(run.process.communicate(), without.process.communicate())


if __name__ == "__main__":
    unittest.main()
