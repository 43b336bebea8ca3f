"""Each termination signal, and a stop that is taken back, at points spread over a whole run: from before armpmu
catches signals to behind its report. A program, firmware and, with QEMU 11, a machine.

POINTS: how many of each (default 5). Prints what came out, by kind and signal.
"""

import collections
import os
import signal
import sys
import time
import unittest

import harness
from harness import REPORT, Run, judge, stat

POINTS = int(os.environ.get("POINTS", "5"))
NUMBERS = (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGHUP)


def undisturbed(words):
    """What comes out, and how long it takes."""
    start = time.monotonic()
    with Run(words) as run:
        result = run.ended()
    return result, time.monotonic() - start


class Points(unittest.TestCase):
    def ends_well(self, words, own, exact=True):
        results = [undisturbed(words) for _ in range(2)]
        expected, length = min(results, key=lambda result: result[1])
        self.assertEqual(expected[0], own)
        for number in NUMBERS:
            ends = collections.Counter()
            for i in range(POINTS):
                with Run(words) as run:
                    time.sleep(1.1 * length * i / POINTS)
                    run.send(number)
                    wrong = judge(run, number, (own,))
                    ends[run.process.returncode] += 1
                    self.assertIsNone(wrong, f"point {i} of {POINTS}, signal {number}")
            self.note(number.name, ends)
        same = 0
        for i in range(POINTS):
            with Run(words) as run:
                time.sleep(1.1 * length * i / POINTS)
                run.send(signal.SIGSTOP)
                time.sleep(0.02)
                run.send(signal.SIGCONT)
                status, said = run.ended()
                self.assertTrue(run.all_gone(), "leaves processes")
            self.assertEqual(status, own)
            self.assertIn(REPORT, said)
            self.assertTrue(not exact or said == expected[1], said)
            same += said == expected[1]
        self.note("SIGSTOP, SIGCONT", {own: POINTS, "the same report": same})

    def note(self, what, ends):
        print(f"{self.id().rpartition('.')[2]}: {what}: "
              + ", ".join(f"{end}: {n}" for end, n in sorted(ends.items(), key=str)), file=sys.stderr)

    def test_program(self):
        self.ends_well(stat("work"), 3)

    @unittest.skipUnless(harness.FIRMWARE, "no firmware")
    def test_firmware(self):
        self.ends_well(stat(program=harness.FIRMWARE), 3)


if __name__ == "__main__":
    unittest.main()
