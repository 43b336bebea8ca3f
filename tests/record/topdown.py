#!/usr/bin/env python3
"""Where the cycles of each function and line went: the parts add up to the tree of the whole run that stat --topdown has.

usage: topdown.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import json
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[3]).resolve()
TARGETS = {machine: guest.ARM._replace(machine=machine) for machine in ("cortex-a8", "cortex-r4f")}
TARGETS["neoverse-n1"] = guest.AARCH64
REST = "the model does not say what for"
ELSEWHERE = "waits that count at other code"


class Topdown(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        missing = next(filter(None, (guest.missing_tools(target=target) for target in TARGETS.values())), None)
        if missing:
            self.skipTest(missing)

    def armpmu(self, *words, status=0):
        done = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr if status else done.stdout

    def rows(self, *words):
        return [json.loads(line) for line in self.armpmu(*words).splitlines()]

    def programs(self):
        for machine, target in TARGETS.items():
            program = guest.compile_program(SOURCE, self.folder / machine, ["-static", "-O1", "-g"], target)
            yield machine, ["--machine", machine], program

    def tree(self, machine, program):
        """Cause -> cycles of the whole run."""
        self.armpmu("stat", "--topdown", "-j", "-o", "stat.json", *machine, "--", program)
        nodes = [json.loads(line) for line in (self.folder / "stat.json").read_text(encoding="utf-8").splitlines()]
        return Counter({REST if node["topdown"] == "Unattributed" else f"{node['topdown']}: {node['cause']}":
                        int(node["counter-value"]) for node in nodes
                        if "cause" in node or node.get("topdown") == "Unattributed"})

    def test_parts_add_up(self):
        for name, machine, program in self.programs():
            with self.subTest(name):
                whole = self.tree(machine, program)
                self.assertGreater(len(whole), 4)
                for options in ([], ["-g"]):
                    self.armpmu("record", "-q", *options, *machine, "--", program)
                    for keys in ("symbol", "line", "insn"):
                        parts = Counter()
                        for row in self.rows("report", "--topdown", "-j", "-s", keys):
                            of_row = Counter({part["cause"]: part["cycles"] for part in row["topdown"]})
                            if name != "neoverse-n1":
                                self.assertEqual(of_row.total(), row["events"]["CPU_CYCLES"]["self"])
                            parts += of_row
                        if name == "neoverse-n1":  # a wait is that of the access that is waited for
                            parts[REST] = parts[ELSEWHERE] = whole[REST] = 0
                        self.assertEqual(+parts, +whole, keys)

    def test_inclusive_parts(self):
        name, machine, program = next(iter(self.programs()))
        self.armpmu("record", "-q", "-g", *machine, "--", program)
        rows = {row["symbol"]: row for row in self.rows("report", "--topdown", "--children", "-j", "-s", "symbol")}
        self.assertEqual(sum(part["cycles"] for part in rows["main"]["topdown"]),
                         rows["main"]["events"]["CPU_CYCLES"]["inclusive"], name)

    def test_lines_say_why(self):
        name, machine, program = next(iter(self.programs()))
        self.armpmu("record", "-q", *machine, "--", program)
        lines = self.rows("annotate", "--topdown", "-j", "--percent-limit", "0", "leaf")
        for line in lines:
            cycles = line["events"]["CPU_CYCLES"]["self"]
            self.assertEqual(sum(part["cycles"] for part in line["topdown"]), cycles, name)
            self.assertEqual(sum(part["cycles"] for insn in line["insns"] for part in insn["topdown"]), cycles, name)
        self.assertRegex(self.armpmu("annotate", "--topdown", "leaf"), r"\^ \d+\.\d % of these cycles: [A-Z][a-z]+")
        self.assertRegex(self.armpmu("report", "--topdown"), r"(?m)^ +\d+\.\d\d %  Core bound: ")

    def test_exports_have_them(self):
        _, machine, program = next(iter(self.programs()))
        self.armpmu("record", "-q", "-e", "cycles", "--topdown", *machine, "--", program)
        whole = self.tree(machine, program)
        text = self.armpmu("convert", "--to", "callgrind", "-o", "-")
        names = next(line for line in text.splitlines() if line.startswith("events:")).split()[1:]
        totals = dict(zip(names, map(int, next(line for line in text.splitlines() if line.startswith("totals:")).split()[1:])))
        self.assertEqual(totals["TOPDOWN_ISSUE_SINGLE"], whole["Issue: one instruction"])
        self.assertIn("Core bound: ", self.armpmu("convert", "--to", "html", "-o", "-"))

    def test_without_them(self):
        _, machine, program = next(iter(self.programs()))
        self.armpmu("record", "-q", "-e", "cycles", *machine, "--", program)
        self.assertIn("was not recorded", self.armpmu("report", "--topdown", status=125))
        self.assertIn("was not recorded", self.armpmu("annotate", "--topdown", status=125))
        self.assertIn("TOPDOWN_", self.armpmu("report", "--topdown", "-x,", status=125))


del sys.argv[1:]
unittest.main()
