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
A32 = ("cortex-a8", "cortex-a8-plain", "cortex-a8-omap3530", "cortex-r4f", "rm48")
ARMV5 = ("pxa255", "pxa270", "ixp425", "xscale-80200")
ARMEL = guest.ARM._replace(compiler="arm-linux-gnueabi-gcc", package="gcc-arm-linux-gnueabi")
A64 = ("neoverse-n1", "neoverse-v1", "neoverse-v2", "cortex-a53", "cortex-a57", "cortex-a72", "cortex-a76", "graviton3",
       "neoverse-n1-plain")
SUMS = {"lookups": "L1D_CACHE", "refills": "L1D_CACHE_REFILL", "tlb_refills": "L1D_TLB_REFILL"}
XSCALE_SUMS = {"lookups": "DCACHE_ACCESS", "refills": "DCACHE_MISS", "tlb_refills": "DTLB_MISS"}

# The accesses to `table` by source: three times each of 4096 lines, 256 KB in all, is loaded and then stored. No cache of
# these cores keeps a line until the next time. On an XScale the line is on its way when the store comes; a Cortex-R4F
# waits for the word, and its store finds the line.
EACH = 3 * 4096
EVERYWHERE = 4096 * 1024 - 1  # KB
SOURCES = {
    ("cortex-r4f",): {"RAM": EACH, "L1": EACH},
    ("cortex-r4f", f"regions.noncacheable_size_kb={EVERYWHERE}"): {"uncached": 2 * EACH},
    ("cortex-r4f", f"regions.ordered_size_kb={EVERYWHERE}"): {"device": 2 * EACH},
    ("rm48",): {"TCM": 2 * EACH},
    ("tms570ls",): {"TCM": 2 * EACH},
    ("pxa255",): {"RAM": EACH, "LFB": EACH},
    ("ixp425", "l1d.write_back=no"): {"RAM": EACH, "through": EACH},
}


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
        target = (guest.AARCH64 if machine in A64 else ARMEL if machine in ARMV5 else guest.ARM)._replace(machine=machine)
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        flags = ["-march=armv5te"] if machine in ARMV5 else []
        return guest.compile_program(SOURCE, self.folder / machine, [*flags, "-static", "-O1", "-g"], target)

    def record(self, machine, *options):
        self.armpmu("record", "-q", "--stable", *options, "--machine", machine, "--", self.program(machine))

    def query(self, text):
        with sqlite3.connect(self.folder / "armpmu.data") as data:
            return data.execute(text).fetchall()

    def totals(self):
        return dict(self.query("SELECT e.name, t.n FROM total t JOIN event e ON e.id = t.event"))

    def test_sums_are_events(self):
        for machine in A32 + ARMV5 + A64:
            with self.subTest(machine):
                self.record(machine)
                before = self.totals()
                self.record(machine, "--mem")
                totals = self.totals()
                self.assertEqual(totals, before)
                preloads = self.query("SELECT coalesce(sum(n), 0) FROM count c JOIN event e ON e.id = c.event JOIN insn i ON "
                                      "i.id = c.insn WHERE e.name = 'DTLB_MISS' AND i.id NOT IN (SELECT insn FROM access)")[0][0]
                for column, event in (XSCALE_SUMS if machine in ARMV5 else SUMS).items():
                    others = preloads if event == "DTLB_MISS" else 0
                    self.assertEqual(self.query(f"SELECT sum({column}) FROM access")[0][0] + others, totals.get(event, 0), column)
                self.assertEqual(self.query("SELECT count(*) FROM access WHERE insn IS NULL OR n < 1")[0][0], 0)

    def test_sums_by_instruction(self):
        for machine in ("cortex-a8", "cortex-r4f", "pxa255", "neoverse-n1", "cortex-a53"):
            with self.subTest(machine):
                self.record(machine, "--mem")
                preloads = " AND c.insn IN (SELECT insn FROM access)" if machine == "pxa255" else ""
                for column, event in (XSCALE_SUMS if machine in ARMV5 else SUMS).items():
                    counted = self.query(f"SELECT c.insn, sum(c.n) FROM count c JOIN event e ON e.id = c.event "
                                         f"WHERE e.name = '{event}'{preloads} GROUP BY 1 ORDER BY 1")
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

    def test_sources_of_embedded_cores(self):
        for (machine, *settings), sources in SOURCES.items():
            with self.subTest([machine, *settings]):
                self.record(machine, "--mem", *(word for setting in settings for word in ("--set", setting)))
                found = dict(self.query("SELECT source, sum(n) FROM access JOIN datum ON datum.id = datum WHERE name = "
                                        "'table' GROUP BY 1"))
                if "LFB" in sources:  # code that is fetched between two accesses of a line may take as long as the line
                    self.assertLessEqual(found.get("L1", 0), 8)
                    found["LFB"] += found.pop("L1", 0)
                self.assertEqual(found, sources)

    def test_mini_data_cache(self):
        self.record("pxa255", "--mem", "--set", "mini_data.size_mb=4096")
        found = {source for source, in self.query("SELECT DISTINCT source FROM access")}
        self.assertIn("mini", found)
        self.assertNotIn("L1", found)

    def test_no_tlb(self):
        self.record("cortex-r4f", "--mem")
        self.assertEqual(self.query("SELECT DISTINCT tlb FROM access"), [("none",)])

    def test_refused(self):
        self.record("cortex-a8")
        self.assertIn("record with --mem", self.armpmu("report", "--mem", status=125))
        self.assertIn("--roi", self.armpmu("record", "--mem", "--roi", "main", "--", "x", status=125))
        self.assertIn("'nothing'", self.armpmu("report", "--mem", "-s", "nothing", status=125))
        self.assertIn("twice", self.armpmu("report", "-s", "mem,mem", status=125))
        for option in "-g", "-ecycles":
            self.assertIn("leave them out", self.armpmu("report", "--mem", option, status=125))


del sys.argv[1:]
unittest.main()
