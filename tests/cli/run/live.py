"""armpmu stat while the program runs: rows of -I, --timeout, --quiet, and the line of progress on a terminal.

usage: live.py ARMPMU MACHINE PROGRAM [terminal]

PROGRAM: live.c, built for Linux. MACHINE: one that runs it. terminal: what depends on no program is tested, too, as
with ARMPMU_TEST_LONG set.
"""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.extend(str(Path(__file__).resolve().parents[i]) for i in (1, 2))
from patience import longer_and_longer  # noqa: E402
from terminal import shown_on  # noqa: E402

ARMPMU, PROGRAM = (str(Path(sys.argv[i]).resolve()) for i in (1, 3))
MACHINE, WHAT = sys.argv[2], sys.argv[4:]
STAT = [ARMPMU, "stat", "--stable", "--machine", MACHINE]


def counted(how, *options):
    run = subprocess.run([*STAT, "-j", "-e", "cycles,instructions", *options, "--", PROGRAM, how], text=True,
                         capture_output=True, check=True)
    return [json.loads(line) for line in run.stderr.splitlines() if '"event"' in line]


def values(rows, event):
    return [int(row["counter-value"]) for row in rows if row["name"] == event]


def on_terminal(*words, **variables):
    """What a terminal gets as standard error."""
    master, terminal = pty.openpty()
    with subprocess.Popen([*STAT, *words], stderr=terminal, env=os.environ | variables) as run:
        shown = shown_on(master, terminal, run)
    os.close(master)
    return run.returncode, shown.decode()


class Live(unittest.TestCase):
    def test_a_full_disk_ends_the_program(self):
        """It never ends by itself."""
        for words in (["record", "--trace=/dev/full"], ["stat", "-I", "1", "-o", "/dev/full"]):
            with self.subTest(words):
                run = subprocess.run([ARMPMU, *words, "--machine", MACHINE, "--", PROGRAM, "for-ever"], text=True,
                                     capture_output=True, check=False)
                self.assertEqual((run.returncode, run.stdout), (125, ""), run.stderr)
                self.assertRegex(run.stderr, "^armpmu: cannot write /dev/full: No space left on device.*\n$")

    def test_rows_come_while_the_program_runs(self):
        """It never ends by itself: what comes before the interrupt came live."""
        for options in (["-I", "1"], ["-I", "1", "-j"], ["-I", "1000000i", "-x,"]):
            with subprocess.Popen([*STAT, *options, "-e", "CPU_CYCLES", "--", PROGRAM, "for-ever"], text=True,
                                  stderr=subprocess.PIPE, start_new_session=True) as run:
                rows = [run.stderr.readline() for _ in range(8)]
                os.killpg(run.pid, signal.SIGINT)
                rest = run.stderr.read()
            self.assertEqual(run.returncode, 130, rest)
            self.assertGreaterEqual(sum("CPU_CYCLES" in row for row in rows), 4, rows)
            self.assertIn("CPU_CYCLES", rest)

    def test_of_one_thread_rows_add_up(self):
        for interval in ("0.1", "100000c", "100000i"):
            rows, whole = counted("alone", "-I", interval), counted("alone")
            for event in ("CPU_CYCLES", "INST_RETIRED"):
                self.assertEqual(sum(values(rows, event)), values(whole, event)[0])
            self.assertGreater(len(values(rows, "CPU_CYCLES")), 10)

    def test_rows_before_others_start_are_of_the_first_thread(self):
        for how in ("threads", "fork"):
            runs = [values(counted(how, "-I", "100000i"), "INST_RETIRED") for _ in range(4)]
            n_alone = next(i for i, n in enumerate(runs[0]) if n > 150000)
            for run in runs:
                self.assertEqual(run[:n_alone], runs[0][:n_alone])
                self.assertGreater(run[n_alone], 190000)  # two threads or processes
            whole = sum(values(counted("alone", "-I", "100000i"), "INST_RETIRED"))
            self.assertAlmostEqual(n_alone * 100000 / whole, 4 / 6, delta=0.05)

    def test_time_never_goes_back(self):
        for how in ("alone", "threads", "fork"):
            times = [row["interval"] for row in counted(how, "-I", "0.1")]
            self.assertEqual(times, sorted(times))

    def test_time_that_is_over_ends_the_program(self):
        for options, words in (([], "The time of --timeout was over: these are the counts up to then."),
                               (["-x,"], "# timed out: counts up to then"), (["-j"], '"timed-out": true'),
                               (["--json=1"], '"complete": false, "timed-out": true')):
            for seconds in longer_and_longer(0.6):
                start = time.monotonic()
                run = subprocess.run([*STAT, "--timeout", str(seconds), "-e", "INST_RETIRED", *options, "--", PROGRAM, "for-ever"],
                                     text=True, capture_output=True, check=False)
                self.assertGreaterEqual(time.monotonic() - start, seconds)
                self.assertEqual(run.returncode, 124, run)
                self.assertIn(words, run.stderr)
                if any(int(n.replace(",", "")) > 400000 for n in re.findall(r"\d[\d,]{5,}", run.stderr)):
                    break
        self.assertEqual(subprocess.run([*STAT, "--timeout", "50", "-n", "--", PROGRAM, "alone"], check=False,
                                        capture_output=True).returncode, 0)

    def test_a_stubborn_program_is_killed(self):
        """It says when it ignores SIGTERM."""
        for seconds in longer_and_longer(0.2):
            run = subprocess.run([*STAT, "--timeout", str(seconds), "-e", "cycles", "--", PROGRAM, "stubborn"], text=True,
                                 capture_output=True, check=False)
            self.assertEqual(run.returncode, 124, run)
            self.assertIn("CPU_CYCLES", run.stderr)
            if run.stdout == "stubborn\n":
                break

    def test_a_profile_says_that_it_was_cut(self):
        with tempfile.TemporaryDirectory() as folder:
            for seconds in longer_and_longer(0.4):
                run = subprocess.run([ARMPMU, "record", "--machine", MACHINE, f"--timeout={seconds}s", "-o", f"{folder}/data",
                                      "--", PROGRAM, "for-ever"], text=True, capture_output=True, check=False)
                self.assertEqual(run.returncode, 124, run)
                if os.path.exists(f"{folder}/data"):
                    break
        self.assertIn("not to the program's end", run.stderr)


@unittest.skipUnless(WHAT == ["terminal"] or "ARMPMU_TEST_LONG" in os.environ, "of one program")
class Terminal(unittest.TestCase):
    """What depends on no program."""

    def test_wrong_times_are_refused(self):
        for value in ("0", "-1", "10m", "ms", "inf"):
            run = subprocess.run([*STAT, "--timeout", value, "--", PROGRAM], text=True, capture_output=True, check=False)
            self.assertEqual((run.returncode, run.stderr),
                             (125, f"armpmu: --timeout '{value}': seconds above zero, like 10 or 0.5, or 500ms\n"))

    def test_quiet_says_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            for options in ([], ["-j"], ["-o", f"{folder}/report"]):
                run = subprocess.run([*STAT, "-q", *options, "--", PROGRAM, "alone"], text=True, capture_output=True,
                                     check=False)
                self.assertEqual((run.returncode, run.stderr), (0, ""))
            self.assertIn("CPU_CYCLES", Path(folder, "report").read_text())
        self.assertEqual(on_terminal("-q", "--timeout", "2.5", "--", PROGRAM, "for-ever"), (124, ""))

    def test_progress_is_for_terminals(self):
        line = r"\r\x1b\[Karmpmu: \d+ s, ([\d.]+) ms simulated, ([\d.]+) M insns, [\d.]+ M insns/s\r"
        for seconds in longer_and_longer(2.6):
            words = ["--timeout", str(seconds), "-e", "cycles", "--no-hot-spot", "--", PROGRAM, "for-ever"]
            status, shown = on_terminal(*words, TERM="xterm")
            self.assertEqual(status, 124)
            found = re.findall(line, shown)
            if len(found) >= 3:
                break
        for column in zip(*found):
            values_shown = [float(value) for value in column]
            self.assertEqual(values_shown, sorted(values_shown))
            self.assertGreater(values_shown[-1], 0)
        self.assertRegex(shown, r"\r\x1b\[K\s* armpmu stat: ")  # the line is gone before the report
        self.assertNotIn("insns/s", on_terminal(*words, TERM="dumb")[1])
        start = time.monotonic()
        shown = on_terminal("-e", "cycles", "--", PROGRAM, "alone")[1]
        if time.monotonic() - start < 1:
            self.assertNotIn("insns/s", shown)  # too short
        self.assertNotIn("insns/s", subprocess.run([*STAT, *words], text=True, capture_output=True, check=False).stderr)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    unittest.main(argv=sys.argv[:1])
