"""accuracy/run and accuracy/blocks measure what their tables say, and docs/accuracy.md has a row for each figure."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
SCRIPT, PAGE = ROOT / "accuracy/run", ROOT / "docs/accuracy.md"
BUILD = sys.argv.pop(1)


def accuracy(*arguments):
    return subprocess.run([sys.executable, "-B", SCRIPT, *arguments, BUILD], capture_output=True, text=True)


class Accuracy(unittest.TestCase):
    def test_a_chain_of_additions_takes_a_cycle_each(self):
        done = accuracy("--only", "int add")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| lat_ops int add \| cycles \| [^|]* \| 1\.00 \|")

    def test_the_page_has_what_is_measured(self):
        rows = [line for line in accuracy("--only", "lat_ops").stdout.splitlines() if line.startswith("| lat_ops")]
        self.assertGreater(len(rows), 5)
        for row in rows:
            self.assertIn(row, PAGE.read_text().splitlines(), "'make accuracy' writes it")

    def test_shares_are_those_of_the_rows(self):
        """Of the tables on the page, for each machine and all."""
        tables, shares = PAGE.read_text().split("### Shares\n", 1)
        tables = tables[tables.index("<!-- measured -->"):]
        ratios = {name: [float(ratio) for ratio in re.findall(r"\| ([0-9.]+)(?: \(\d+\))? \| [^|]+ \|\n", rows)]
                  for name, rows in re.findall(r"### (\S+)\n(.*?)(?=\n###|$)", tables, re.DOTALL)}
        ratios["all"] = [ratio for rows in ratios.values() for ratio in rows]
        self.assertGreater(len(ratios["all"]), 280)
        for name, rows in ratios.items():
            within = [sum(abs(ratio - 1) < share + 0.001 for ratio in rows) for share in (0.1, 0.25, 0.3)]
            self.assertIn("| " + " | ".join(map(str, [name, len(rows), *within])) + " |\n", shares)

    def test_the_page_has_the_blocks(self):
        """Of two cores, each difference from llvm-mca with its reason."""
        done = subprocess.run([sys.executable, "-B", ROOT / "accuracy/blocks", "--core", "cortex-a53", "--core", "cortex-a55", BUILD],
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line for line in done.stdout.splitlines() if line.startswith("| cortex-")]
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertIn(row, PAGE.read_text().splitlines(), "'make accuracy' writes it")

    def test_the_page_has_each_figure(self):
        done = accuracy("--check", PAGE)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_page_that_lacks_a_figure_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text(re.sub(r"(?m)^\| lat_ops int add .*\n", "", PAGE.read_text()))
            done = accuracy("--check", page)
            self.assertEqual(done.returncode, 1)
            self.assertIn("lat_ops int add", done.stdout)

    def test_a_build_without_armpmu_is_an_error(self):
        done = subprocess.run([sys.executable, "-B", SCRIPT, "--only", "int add", "/nowhere"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nowhere/armpmu", done.stderr)


if __name__ == "__main__":
    unittest.main()
