"""armpmu record -b: where branches led, of words.c on each core model and engine, against what is counted otherwise.

usage: collect_edges.py ARMPMU
"""

import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = None
SOURCE = Path(__file__).parent.parent / "export" / "words.c"
BY_INSN = """
    SELECT count(*) FROM (SELECT c.insn AS insn, sum(c.n) AS executed FROM count c JOIN event e ON e.id = c.event
    WHERE e.name IN ('INST_RETIRED', 'INSTRUCTION') GROUP BY c.insn) JOIN
    (SELECT from_insn, sum(n) AS led FROM edge GROUP BY from_insn) ON from_insn = insn WHERE executed <> led"""


class Edges(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-edges-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def record(self, machine, compiler, *words):
        program = self.folder / "words"
        subprocess.run([*compiler, "-O2", "-g", SOURCE, "-o", program], check=True)
        done = subprocess.run([ARMPMU, "record", "-q", "-b", "-e", "all", "--machine", machine, *words, "-o",
                               self.folder / "armpmu.data", "--", program, "300", "1"], check=True, capture_output=True)
        return done.stdout.split()

    def ask(self, sql):
        connection = sqlite3.connect(self.folder / "armpmu.data")
        try:
            return connection.execute(sql).fetchone()[0]
        finally:
            connection.close()

    def total(self, event):
        return self.ask(f"SELECT n FROM total JOIN event ON event = id WHERE name = '{event}'")

    def check(self, machine, compiler, mispredictions, *words):
        self.record(machine, compiler, *words)
        self.assertGreater(self.ask("SELECT count(*) FROM edge"), 100)
        self.assertEqual(self.ask(BY_INSN), 0, "edges of a branch are not its executions")
        self.assertEqual(self.ask("SELECT sum(mispredicted) FROM edge"), self.total(mispredictions))
        self.assertEqual(self.ask("SELECT count(*) FROM edge WHERE to_insn IS NULL"), 0)
        calls = self.ask("SELECT sum(e.n) FROM edge e JOIN insn i ON i.id = to_insn JOIN function f ON f.id = i.function "
                         "WHERE f.symbol IN ('add', 'mix') AND i.address = f.address")
        self.assertEqual(calls, 300)

    def test_neoverse(self):
        self.check("neoverse-n1", ["aarch64-linux-gnu-gcc", "-static"], "BR_MIS_PRED")

    def test_neoverse_by_path(self):
        self.check("neoverse-n1", ["aarch64-linux-gnu-gcc", "-static"], "BR_MIS_PRED", "-g")

    def test_cortex_a8(self):
        self.check("cortex-a8", ["arm-linux-gnueabihf-gcc"], "BR_MIS_PRED")

    def test_xscale(self):
        self.check("pxa255", ["arm-linux-gnueabi-gcc", "-static"], "BRANCH_MISS")

    def test_firmware(self):
        self.check("cortex-r4f", ["arm-none-eabi-gcc", "-mcpu=cortex-r4f", "-mthumb", "--specs=rdimon.specs"], "BR_MIS_PRED")

    def test_counts_are_as_without_edges(self):
        compiler = ["arm-linux-gnueabihf-gcc", "-static"]
        self.record("cortex-a8", compiler)
        with_edges = self.total("CPU_CYCLES"), self.total("BR_MIS_PRED")
        subprocess.run([ARMPMU, "record", "-q", "-e", "all", "--machine", "cortex-a8", "-o", self.folder / "armpmu.data", "--",
                        self.folder / "words", "300", "1"], check=True, capture_output=True)
        self.assertEqual((self.total("CPU_CYCLES"), self.total("BR_MIS_PRED")), with_edges)
        self.assertEqual(self.ask("SELECT count(*) FROM edge"), 0)


if __name__ == "__main__":
    ARMPMU = Path(sys.argv.pop(1)).absolute()
    unittest.main(verbosity=2)
