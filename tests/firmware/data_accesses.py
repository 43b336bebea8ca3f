"""Data accesses of firmware that record --mem keeps: where they went, and their sums.

usage: data_accesses.py ARMPMU ARM_GCC ARM64_GCC SOURCE
"""
import json
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, ARM_GCC, ARM64_GCC, SOURCE = (str(Path(word).resolve()) for word in sys.argv[1:])
del sys.argv[1:]

ARMV5 = ["-march=armv5te", "-mfloat-abi=soft"]
R4F = ["-mcpu=cortex-r4f", "-marm"]
TABLE, LINES = 10 * 256 * 2, 256 * 4 // 32  # accesses; lines of 32 bytes
DEVICE = 50 * 2 + 1  # the status is read, the console written; the word that ends it
MACHINES = {  # how it is compiled; options; accesses to the table by source
    "cortex-a8": (["-mcpu=cortex-a8"], [], {"uncached": TABLE}),
    "pxa255": (ARMV5, [], {"uncached": TABLE}),
    "pxa270": (ARMV5, [], {"uncached": TABLE}),
    "cortex-r4f": (R4F, ["--caches-on"], {"RAM": LINES, "L1": TABLE - LINES}),
    "tms570ls": (R4F, [], {"TCM": TABLE}),
    "neoverse-n1": ([], [], {"uncached": TABLE}),
    "cortex-a53": ([], [], {"uncached": TABLE}),
}


class Accesses(unittest.TestCase):
    def test_accesses(self):
        for machine, (options, words, sources) in MACHINES.items():
            with self.subTest(machine), tempfile.TemporaryDirectory() as folder:
                base = "0x40001000" if not options else "0x10000"
                subprocess.run([ARM64_GCC if not options else ARM_GCC, *options, "-O1", "-g", "-ffreestanding", "-nostdlib", "-static",
                                f"-Wl,-Ttext={base},--build-id=none,-z,max-page-size=0x1000,-z,noexecstack", SOURCE, "-o",
                                "program.elf"], check=True, cwd=folder)
                self.run_armpmu(folder, "record", "-q", "--mem", "--engine", "unicorn", "--timeout", "60", "--machine", machine, *words,
                                "program.elf")
                rows = [json.loads(row) for row in self.run_armpmu(folder, "report", "-s", "mem,symbol_daddr,tlb", "-j").splitlines()]
                self.assertEqual({row["source"]: row["accesses"] for row in rows if row["data"] == "table"}, sources)
                self.assertEqual([(row["source"], row["accesses"]) for row in rows if row["data"] == "device at 0xff000000"],
                                 [("device", DEVICE)])
                self.assertEqual({row["tlb"] for row in rows}, {"none"})
                self.check_sums(folder)

    def check_sums(self, folder):
        with sqlite3.connect(Path(folder, "armpmu.data")) as data:
            totals = dict(data.execute("SELECT e.name, t.n FROM total t JOIN event e ON e.id = t.event"))
            sums = data.execute("SELECT sum(lookups), sum(refills), sum(tlb_refills) FROM access").fetchone()
        names = (("DCACHE_ACCESS", "DCACHE_MISS", "DTLB_MISS") if "DCACHE_ACCESS" in totals
                 else ("L1D_CACHE", "L1D_CACHE_REFILL", "L1D_TLB_REFILL"))
        self.assertEqual(sums, tuple(totals.get(name, 0) for name in names))

    def run_armpmu(self, folder, *words):
        done = subprocess.run([ARMPMU, *words], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout


unittest.main()
