"""System calls that are not what they are on a board: the report says so, once, with what to do.

usage: system_calls.py ARMPMU COMPILER COMPILER64
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = str(Path(sys.argv[1]).resolve())
COMPILERS = dict(zip(("cortex-a8", "neoverse-n1"), sys.argv[2:4]))
del sys.argv[1:]

EXIT = {"cortex-a8": " mov r0, #0\n mov r7, #1\n svc #0\n", "neoverse-n1": " mov x0, #0\n mov x8, #94\n svc #0\n"}


def call(machine, number, n):
    """Calls the system so often, with pointers that are none."""
    if machine == "cortex-a8":
        return f" mov r4, #{n}\n1: mov r0, #0\n mov r1, #0\n ldr r7, ={number}\n svc #0\n subs r4, r4, #1\n bne 1b\n"
    return f" mov x19, #{n}\n1: mov x0, #0\n mov x1, #0\n mov x8, #{number}\n svc #0\n subs x19, x19, #1\n b.ne 1b\n"


class SystemCalls(unittest.TestCase):
    def report(self, machine, text):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "program.S").write_text(".global _start\n_start:\n" + text + EXIT[machine], encoding="ascii")
            subprocess.run([COMPILERS[machine], "-nostdlib", "-static", "program.S", "-o", "program"], cwd=folder, check=True)
            done = subprocess.run([ARMPMU, "stat", "-e", "cycles", "--no-hot-spot", "--machine", machine, "./program"],
                                  cwd=folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return " ".join(done.stderr.split())

    def test_perf_event_open(self):
        for machine, number in (("cortex-a8", 364), ("neoverse-n1", 241)):
            for n, words in ((1, "called 1 time:"), (3, "called 3 times:")):
                self.assertIn(f"perf_event_open failed (ENOSYS), {words} QEMU's plugins cannot answer system calls. To count a "
                              "part of the program, use --roi, with a function or with a mark of armpmu/mark.h.",
                              self.report(machine, call(machine, number, n)))

    def test_clocks_of_a_core_whose_linux_has_them_in_the_vdso(self):
        for number in (113, 169):
            self.assertIn("clock_gettime and gettimeofday: 1000 system calls. Linux on this core answers most of them from its "
                          "vDSO, with fewer instructions and without an exception.",
                          self.report("neoverse-n1", call("neoverse-n1", number, 1000)))

    def test_nothing_is_said_of_others(self):
        for machine, number in (("cortex-a8", 263), ("cortex-a8", 20), ("neoverse-n1", 172), ("neoverse-n1", 1000)):
            told = self.report(machine, call(machine, number, 5))
            self.assertNotIn("system call", told)
            self.assertNotIn("perf_event_open", told)


if __name__ == "__main__":
    unittest.main()
