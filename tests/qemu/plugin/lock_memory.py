"""A program that locks its memory (mlockall) is counted to its end: the host does not fill all of the ring with pages.

usage: lock_memory.py ARMPMU COMPILER COMPILER64
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = str(Path(sys.argv[1]).resolve())
COMPILERS = dict(zip(("cortex-a8", "neoverse-n1"), sys.argv[2:4]))
del sys.argv[1:]

# mlockall(MCL_CURRENT | MCL_FUTURE) twice, then an end with status 3: 8 instructions, whether it may lock or not.
CODE = {"cortex-a8": "mov r7, #152\n mov r0, #3\n svc #0\n mov r0, #3\n svc #0\n mov r0, #3\n mov r7, #1\n svc #0\n",
        "neoverse-n1": "mov x8, #230\n mov x0, #3\n svc #0\n mov x0, #3\n svc #0\n mov x0, #3\n mov x8, #94\n svc #0\n"}


class Locks(unittest.TestCase):
    def test_it_ends_and_is_counted(self):
        for machine, code in CODE.items():
            for events in ("instructions", "instructions,cycles"):
                with self.subTest([machine, events]), tempfile.TemporaryDirectory() as folder:
                    Path(folder, "program.S").write_text(".global _start\n_start:\n " + code, encoding="ascii")
                    subprocess.run([COMPILERS[machine], "-nostdlib", "-static", "program.S", "-o", "program"], cwd=folder,
                                   check=True)
                    done = subprocess.run([ARMPMU, "stat", "--engine", "qemu", "--timeout", "100", "-x,", "-e", events,
                                           "--machine", machine, "./program"],
                                          cwd=folder, capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 3, done.stderr)
                    self.assertIn("\n8,instructions,instructions,", "\n" + done.stderr)


if __name__ == "__main__":
    unittest.main()
