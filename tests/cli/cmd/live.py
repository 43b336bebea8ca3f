"""armpmu stat -I: rows come while the program runs, and are the same each time.

usage: live.py ARMPMU MACHINE PROGRAM

PROGRAM: live.c, built for Linux. MACHINE: one that runs it.
"""

import json
import os
import signal
import subprocess
import sys
import unittest
from pathlib import Path

ARMPMU, PROGRAM = (str(Path(sys.argv[i]).resolve()) for i in (1, 3))
MACHINE = sys.argv[2]
STAT = [ARMPMU, "stat", "--stable", "--machine", MACHINE]


def counted(how, *options):
    run = subprocess.run([*STAT, "-j", "-e", "cycles,instructions", *options, "--", PROGRAM, how], text=True,
                         capture_output=True, check=True, timeout=60)
    return [json.loads(line) for line in run.stderr.splitlines()]


def values(rows, event):
    return [int(row["counter-value"]) for row in rows if row["event"] == event]


class Live(unittest.TestCase):
    def test_rows_come_while_the_program_runs(self):
        """It never ends by itself: what comes before the interrupt came live."""
        for options in (["-I", "1"], ["-I", "1", "-j"], ["-I", "1000000i", "-x,"]):
            with subprocess.Popen([*STAT, *options, "-e", "cycles", "--", PROGRAM, "for-ever"], text=True,
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
