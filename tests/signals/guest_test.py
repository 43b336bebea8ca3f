"""The same for a machine under QEMU 11: signals at points of its whole run, a second interrupt, kill -9 of armpmu.

GUEST, GUEST_FOR_EVER: firmware.S for the board virt. WITH_QEMU11: the script. POINTS: see points_test.py.
"""

import os
import signal
import subprocess
import time
import unittest

import points_test
from harness import REPORT, Run, judge

GUEST = os.environ["GUEST"]
GUEST_FOR_EVER = os.environ["GUEST_FOR_EVER"]
QEMU = subprocess.run([os.environ["WITH_QEMU11"], "sh", "-c", "command -v qemu-system-arm"],
                      text=True, stdout=subprocess.PIPE, check=True).stdout.strip()
BOARD = ["-M", "virt", "-cpu", "cortex-a15", "-display", "none", "-monitor", "none", "-serial", "none"]


def machine(*words, options=()):
    return ["guest", "-e", REPORT, *options, "--", QEMU, *BOARD, *words]


FOR_A_WHILE = machine("-semihosting", "-kernel", GUEST)
FOR_EVER = machine("-kernel", GUEST_FOR_EVER, options=["-I", "1"])  # reports come often


class Machine(unittest.TestCase):
    note = points_test.Points.note
    ends_well = points_test.Points.ends_well

    def test_machine(self):
        """What it counts hangs on nothing but its instructions, which a stop does not change."""
        self.ends_well(FOR_A_WHILE, 3)

    def test_an_interrupt_gives_the_whole_report(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with Run(FOR_EVER) as run:
                run.wait_for_a_row()
                run.send(number)
                status, said = run.ended()
            self.assertEqual(status, 128 + number)
            self.assertIn("The machine was interrupted", said)
            self.assertNotIn("without a last report", said)

    def test_a_second_one_ends_a_qemu_that_does_not_end(self):
        with Run(FOR_EVER) as run:
            run.wait_for_a_row()
            for pid in run.left():
                os.kill(pid, signal.SIGSTOP)
            run.send(signal.SIGINT)
            with self.assertRaises(subprocess.TimeoutExpired):
                run.process.wait(0.5)
            run.insist(signal.SIGINT)
            status, said = run.ended()
            self.assertTrue(run.all_gone())
        self.assertEqual(status, 130)
        self.assertIn("without a last report", said)
        self.assertIn(REPORT, said)

    def test_a_second_one_soon_after(self):
        for i in range(10):
            with Run(FOR_EVER) as run:
                run.wait_for_a_row()
                run.send(signal.SIGINT)
                time.sleep(0.010 + 0.002 * i)
                run.send(signal.SIGINT)
                self.assertIsNone(judge(run, signal.SIGINT))

    def test_qemu_ends_with_armpmu(self):
        with Run(FOR_EVER) as run:
            run.wait_for_a_row()
            self.assertEqual(len(run.left()), 1)
            os.kill(run.process.pid, signal.SIGKILL)
            self.assertTrue(run.all_gone())

    def test_it_goes_on_where_that_is_asked_for(self):
        with Run(machine("-kernel", GUEST_FOR_EVER, options=["--keep-running", "-I", "1"])) as run:
            run.wait_for_a_row()
            os.kill(run.process.pid, signal.SIGKILL)
            self.assertFalse(run.all_gone(2))


if __name__ == "__main__":
    unittest.main()
