#!/usr/bin/env python3
"""Data accesses that record --mem keeps: they add up to the core's events, to the count, and change none of them.

usage: collect_accesses.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[3]).resolve()
A32 = ("cortex-a8", "cortex-a8-plain", "cortex-a8-omap3530")
A64 = ("neoverse-n1", "neoverse-v1", "neoverse-v2", "cortex-a53", "cortex-a57", "cortex-a72", "cortex-a76", "graviton3",
       "neoverse-n1-plain")
SUMS = {"lookups": "L1D_CACHE", "refills": "L1D_CACHE_REFILL", "tlb_refills": "L1D_TLB_REFILL"}


class Accesses(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def armpmu(self, *words, status=0):
        done = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else done.stdout

    def program(self, machine):
        target = (guest.AARCH64 if machine in A64 else guest.ARM)._replace(machine=machine)
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        return guest.compile_program(SOURCE, self.folder / machine, ["-static", "-O1", "-g"], target)

    def record(self, machine, *options):
        self.armpmu("record", "-q", "--stable", *options, "--machine", machine, "--", self.program(machine))

    def query(self, text):
        with sqlite3.connect(self.folder / "armpmu.data") as data:
            return data.execute(text).fetchall()

    def totals(self):
        return dict(self.query("SELECT e.name, t.n FROM total t JOIN event e ON e.id = t.event"))

    def test_sums_are_events(self):
        for machine in A32 + A64:
            with self.subTest(machine):
                self.record(machine)
                before = self.totals()
                self.record(machine, "--mem")
                totals = self.totals()
                self.assertEqual(totals, before)
                for column, event in SUMS.items():
                    self.assertEqual(self.query(f"SELECT sum({column}) FROM access")[0][0], totals[event], column)
                self.assertEqual(self.query("SELECT count(*) FROM access WHERE insn IS NULL OR n < 1")[0][0], 0)

    def test_sums_by_instruction(self):
        for machine in ("cortex-a8", "neoverse-n1", "cortex-a53"):
            with self.subTest(machine):
                self.record(machine, "--mem")
                for column, event in SUMS.items():
                    counted = self.query(f"SELECT c.insn, sum(c.n) FROM count c JOIN event e ON e.id = c.event "
                                         f"WHERE e.name = '{event}' GROUP BY 1 ORDER BY 1")
                    kept = self.query(f"SELECT insn, sum({column}) FROM access GROUP BY 1 HAVING sum({column}) > 0 ORDER BY 1")
                    self.assertEqual(kept, counted, event)

    def test_sources(self):
        self.record("neoverse-n1-plain", "--mem")
        rows = {(row["source"], row["symbol"]): row for row in
                map(json.loads, self.armpmu("report", "--mem", "-j").splitlines())}
        # Each of some 4096 lines comes from memory once, and 256 KB stay in level 2.
        self.assertGreaterEqual(rows["RAM", "steps"]["accesses"], 4000)
        self.assertEqual(sum(row["accesses"] for (source, name), row in rows.items() if name == "steps"), 3 * 4096 * 2)
        self.assertEqual(rows["L2", "steps"]["refills"], rows["L2", "steps"]["accesses"])
        self.assertEqual(rows["L1", "steps"]["refills"], 0)
        self.assertGreater(rows["RAM", "steps"]["latency"], rows["L2", "steps"]["latency"])
        text = self.armpmu("report", "-s", "mem,tlb,latency,symbol,line,insn,object,thread")
        self.assertRegex(text, r"# L1D_CACHE_REFILL: \d+ by these accesses\n")

    def test_refused(self):
        self.record("cortex-a8")
        self.assertIn("record with --mem", self.armpmu("report", "--mem", status=125))
        self.assertIn("--roi", self.armpmu("record", "--mem", "--roi", "main", "--", "x", status=125))
        self.assertIn("'nothing'", self.armpmu("report", "--mem", "-s", "nothing", status=125))
        self.assertIn("twice", self.armpmu("report", "-s", "mem,mem", status=125))
        self.assertIn("leave them out", self.armpmu("report", "--mem", "-g", status=125))


del sys.argv[1:]
unittest.main()
