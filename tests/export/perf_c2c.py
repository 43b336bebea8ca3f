#!/usr/bin/env python3
"""Lines that cores take from each other: report --c2c and perf c2c report have the accesses to the count.

usage: perf_c2c.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[3]).resolve()
LINE = 64


class Sharing(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        missing = guest.missing_tools(target=guest.AARCH64)
        if missing:
            raise unittest.SkipTest(missing)
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        program = guest.compile_program(SOURCE, cls.folder / "program", ["-static", "-O1", "-g"], guest.AARCH64)
        cls.run_it([ARMPMU, "record", "-q", "--mem", "--machine", "altra", "--", program])

    @classmethod
    def run_it(cls, words):
        return subprocess.run(words, cwd=cls.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=200,
                              check=True).stdout

    def query(self, text):
        with sqlite3.connect(self.folder / "armpmu.data") as data:
            return data.execute(text).fetchone()

    def rows_of(self, name):
        """The row of a symbol's line, and those of its uses in the program's own functions."""
        rows = json.loads(self.run_it([ARMPMU, "report", "--c2c", "-j=1"]))["lines"]
        address, = self.query(f"SELECT address FROM datum WHERE name = '{name}'")
        rows = [row for row in rows if int(row["line"], 16) == address // LINE * LINE]
        return (rows[0], [row for row in rows[1:] if row["symbol"].startswith("count_")]) if rows else (None, [])

    def test_lines(self):
        line, uses = self.rows_of("apart")
        self.assertEqual(line["sharing"], "false sharing")
        self.assertEqual({(use["thread"], use["offset"], use["bytes"], use["symbol"]) for use in uses},
                         {("1/2", 0, 8, "count_apart"), ("1/3", 8, 8, "count_apart")})
        self.assertEqual({use["kind"] for use in uses}, {"load", "store"})
        self.assertGreater(line["transfers"], 1000)
        self.assertTrue(all(use["data"] == "apart" and "sharing.c" in use["source"] for use in uses))
        line, uses = self.rows_of("together")
        self.assertEqual(line["sharing"], "true sharing")
        self.assertEqual({use["offset"] for use in uses}, {0})
        self.assertEqual(self.rows_of("alone"), (None, []))

    def test_sums(self):
        document = json.loads(self.run_it([ARMPMU, "report", "--c2c", "-j=1"]))
        n, = self.query("SELECT sum(n) FROM access WHERE source = 'core'")
        self.assertEqual(document["transfers"], n)
        lines = [row for row in document["lines"] if "sharing" in row]
        self.assertEqual(sum(row["transfers"] for row in lines), n)
        self.assertEqual(sum(row["transfers"] for row in document["lines"]), 2 * n)
        self.assertIn(f"that another core had: {n}, of {len(lines)} lines", self.run_it([ARMPMU, "report", "--c2c"]))
        few = self.run_it([ARMPMU, "report", "--c2c", "--percent-limit", "10", "-j"]).splitlines()
        self.assertEqual(sum("sharing" in json.loads(row) for row in few), 2)

    def test_perf(self):
        if shutil.which("perf") is None:
            self.skipTest("perf is missing (Debian: linux-perf)")
        self.run_it([ARMPMU, "convert", "--to", "perf", "-e", "cycles", "-o", "perf.data"])
        text = self.run_it(["perf", "c2c", "report", "-i", "perf.data", "--stdio", "-f"])
        loads, = self.query("SELECT sum(n) FROM access WHERE source = 'core' AND (kind & 1)")
        self.assertEqual(re.search(r"Load Local HITM +: +(\d+)", text).group(1), str(loads))
        for name in ("apart", "together"):
            address, = self.query(f"SELECT address FROM datum WHERE name = '{name}'")
            n, = self.query(f"SELECT sum(n) FROM access WHERE source = 'core' AND (kind & 1) AND low / {LINE} = {address // LINE}")
            self.assertRegex(text, rf"(?m)^ +\d+ +{address // LINE * LINE:#x} +\S+ +\d+ .*\b{n}\b")
        self.assertRegex(text, r"\[\.\] count_apart")


del sys.argv[1:]
unittest.main()
