"""`armpmu record --guest --mem` of AArch64 machines: the accesses add up to their events. And a machine whose vectors
cannot be fetched takes exceptions until it is stopped.

usage: profile64.py ARMPMU COMPILER PROGRAM

PROGRAM: bare/accesses64.S. BUILD as for command.py. Skipped (77) without a QEMU that is new enough.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import command as guests
import qemu11

N = 500
MACHINES = {"neoverse-n2": "neoverse-n2", "cortex-a53": "cortex-a53", "raspberrypi4": "cortex-a72"}
SUMS = {"L1D_CACHE": "lookups", "L1D_CACHE_REFILL": "refills", "L1D_TLB_REFILL": "tlb_refills"}


class Profile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def start(self, machine, *flags):
        program = self.folder / "program.elf"
        subprocess.run([COMPILER, "-nostdlib", "-static", f"-DN={N}", "-Wl,-Ttext=0x40080000,--build-id=none", *flags,
                        PROGRAM, "-o", program], check=True)
        return subprocess.Popen(
            [ARMPMU, "record", "--guest", "-q", "--mem", "-e", "all", "--machine", machine, "-o", "data", "--kernel", program,
             "--", "qemu-system-aarch64", "-M", "virt", "-cpu", MACHINES[machine], "-m", "64", "-display", "none", "-serial",
             "stdio", "-monitor", "none", "-kernel", program], cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PATH": PATH},
            preexec_fn=guests.ignore_no_interrupt)

    def query(self, sql):
        database = sqlite3.connect(self.folder / "data")
        rows = database.execute(sql).fetchall()
        database.close()
        return rows

    def test_accesses_add_up_to_what_the_machine_did(self):
        for machine in MACHINES:
            with self.subTest(machine):
                run = self.start(machine)
                self.assertEqual((("x", ""), 0), (run.communicate(timeout=guests.SECONDS), run.returncode))
                totals = dict(self.query("SELECT name, n FROM total JOIN event ON event = id"))
                sums, = self.query(f"SELECT {', '.join(f'sum({column})' for column in SUMS.values())} FROM access")
                self.assertEqual({event: totals[event] for event in SUMS}, dict(zip(SUMS, sums)))
                self.assertTrue(all(n > 0 for n in sums), sums)
                # Before the MMU is on it loads an operand and a literal three times, and stores three words.
                kinds = dict(self.query("SELECT source, sum(n) FROM access WHERE source IN ('uncached', 'device') GROUP BY 1"))
                self.assertEqual({"uncached": 7, "device": 1}, kinds)
                self.assertEqual([(7 * N + 8,)], self.query("SELECT sum(n) FROM access"))

    def test_exceptions_without_a_vector(self):
        run = self.start("neoverse-n2", "-DENDLESS")
        time.sleep(3)
        while run.poll() is None:
            run.send_signal(signal.SIGINT)
            time.sleep(1)
        self.assertEqual(128 + signal.SIGINT, run.returncode, run.communicate())
        self.assertGreater(self.query("SELECT n FROM total JOIN event ON event = id WHERE name = 'INST_RETIRED'")[0][0], 20)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    PATH = qemu11.path()
    ARMPMU, COMPILER, PROGRAM = (Path(word).resolve() for word in sys.argv[1:4])
    del sys.argv[1:]
    unittest.main()
