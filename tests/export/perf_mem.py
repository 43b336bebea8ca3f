#!/usr/bin/env python3
"""Data accesses in perf.data: perf mem report shows them, and its sums are the core's events.

usage: perf_mem.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

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
TARGETS = {"cortex-a8": guest.ARM._replace(machine="cortex-a8"), "neoverse-n1": guest.AARCH64}


class PerfMem(unittest.TestCase):
    def test_report(self):
        if shutil.which("perf") is None:
            self.skipTest("perf is missing (Debian: linux-perf)")
        for machine, target in TARGETS.items():
            with self.subTest(machine), tempfile.TemporaryDirectory() as folder:
                missing = guest.missing_tools(target=target)
                if missing:
                    self.skipTest(missing)
                program = guest.compile_program(SOURCE, Path(folder) / "program", ["-static", "-O1", "-g"], target)
                for words in (["record", "-q", "--mem", "--machine", machine, "--", program],
                              ["convert", "--to", "perf", "-e", "L1D_CACHE_REFILL", "-o", "perf.data"]):
                    subprocess.run([ARMPMU, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   timeout=200, check=True)
                with sqlite3.connect(Path(folder) / "armpmu.data") as data:
                    n, refills = data.execute("SELECT sum(n), sum(refills) FROM access").fetchone()
                report = ["perf", "mem", "report", "-i", "perf.data", "--stdio", "-f", "-g", "none", "--sort", "mem,sym"]
                text = subprocess.run(report, cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=200,
                                      check=True).stdout
                self.assertRegex(text, r"(?m)^ +\d+\.\d+% +\d+ +(?:Local )?RAM hit +\[\.\] steps")
                report = ["perf", "report", "-i", "perf.data", "--stdio", "-f", "--no-children", "-F", "period,sym"]
                text = subprocess.run(report, cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=200,
                                      check=True).stdout
                sums = dict(re.findall(r"of event '[^']*/([^/']+)/'\n# Event count \(approx\.\): (\d+)", text))
                self.assertEqual((int(sums["MEM_ACCESS"]), int(sums["MEM_REFILL"]), int(sums["L1D_CACHE_REFILL"])),
                                 (n, refills, refills))


del sys.argv[1:]
unittest.main()
