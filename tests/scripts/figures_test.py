#!/usr/bin/env python3
"""scripts/figures must find stale figures and replace them."""

import importlib.machinery
import importlib.util
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
LOADER = importlib.machinery.SourceFileLoader("figures", str(ROOT / "scripts" / "figures"))
figures = importlib.util.module_from_spec(importlib.util.spec_from_loader("figures", LOADER))
LOADER.exec_module(figures)


class Fake:
    def cats(self):
        return 1200

    def dogs(self):
        return 3

    def pets_table(self):
        return "| 2 |\n"

    def output(self, block):
        return block.split("\n", 1)[0] + "\n    new\n"


class Sentences(unittest.TestCase):
    def test_figures_are_put_across_lines(self):
        self.assertEqual(figures.put_figures("We have 9\ncats and 44 dogs.", "{cats} cats and {dogs} dogs",
                                             Fake()), "We have 1,200\ncats and 3 dogs.")

    def test_what_is_right_stays(self):
        text = "1,200 cats"
        self.assertEqual(figures.put_figures(text, "{cats} cats", Fake()), text)

    def test_words_that_are_not_there_once_are_told(self):
        for text in ("no pets", "1 cats and 2 cats"):
            with self.assertRaisesRegex(figures.Stale, "times, not once"):
                figures.put_figures(text, "{cats} cats", Fake())


class Blocks(unittest.TestCase):
    TEXT = ("a\n<!-- figures: pets -->\nold\n<!-- figures: end -->\n"
            "<!-- figures: output -->\n    $ ls\n    old\n<!-- figures: end -->\nb\n")

    def test_a_table_is_replaced_and_an_output_only_when_slow(self):
        fast = figures.put_blocks(self.TEXT, Fake(), False)
        self.assertEqual(fast, self.TEXT.replace("old", "| 2 |", 1))
        slow = figures.put_blocks(self.TEXT, Fake(), True)
        self.assertEqual(slow, self.TEXT.replace("    old", "    new"))


class Counted(unittest.TestCase):
    def test_machines_have_the_core_of_their_base(self):
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root, "machines")
            folder.mkdir()
            (folder / "one.ini").write_text("[machine]\nname = one\ncore = c\ntitle = One ; x\n")
            (folder / "two.ini").write_text("[machine]\nname = two\nbase = one\ntitle = Two\n")
            counted = figures.Figures("build", root)
            self.assertEqual(counted.machines(), 2)
            self.assertEqual(counted.machines_table().splitlines()[2:],
                             ["| `one` | `c` | One |", "| `two` | `c` | Two |"])

    def test_a_named_file_that_is_not_there_is_seen(self):
        text = "`docs/design.md`, `src/nowhere.c`, `src/*.none`, `src/`, `scripts/figures --check`, src/x.c"
        self.assertEqual(figures.missing_files(text, ROOT), ["src/*.none", "src/nowhere.c"])

    def test_a_directed_program_is_one_with_arithmetic(self):
        with tempfile.TemporaryDirectory() as root:
            folder = Path(root, "tests/directed/core/topic")
            folder.mkdir(parents=True)
            (folder / "one.s").write_text("@ proves: 0x08 it\n")
            (folder / "two.S").write_text("// kernel: adds: two\n")
            (folder / "part.s").write_text("nop\n")
            self.assertEqual(len(figures.Figures("build", root).directed_programs()), 2)

    def test_more_than_tens_is_true(self):
        self.assertEqual([figures.tens(n) for n in (0, 1, 10, 11, 420, 421)], [0, 0, 0, 10, 410, 420])


if __name__ == "__main__":
    unittest.main()
