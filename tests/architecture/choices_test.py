"""Tests choices.py, which must report each violation."""

import tempfile
import unittest
from pathlib import Path

import choices


class Choices(unittest.TestCase):
    def complaints(self, code, page):
        with tempfile.TemporaryDirectory() as folder:
            for path, text in (("src/pmu/a.c", code), ("docs/choices.md", page)):
                file = Path(folder, path)
                file.parent.mkdir(parents=True)
                file.write_text(text, encoding="utf-8")
            return choices.check(Path(folder))

    def test_a_choice_on_both_sides_passes(self):
        self.assertEqual([], self.complaints("/* CHOICE(edge): a\n CHOICE(edge) */",
                                             "| `edge` | level or edge? | edge |\n"))

    def test_a_machine_file_s_choice_is_none(self):
        self.assertEqual([], self.complaints("CHOICE(l1d, replacement, policy, text)", ""))

    def test_a_mark_without_a_row_is_named(self):
        [complaint] = self.complaints("/* CHOICE(edge): a */", "| edge | a question | an answer |\n")
        self.assertTrue(complaint.startswith("src/pmu/a.c: CHOICE(edge)"))

    def test_a_row_without_a_mark_is_named(self):
        [complaint] = self.complaints("", "| `edge` | level or edge? | edge |\n")
        self.assertIn("CHOICE(edge)", complaint)

    def test_two_rows_are_one_too_many(self):
        self.assertEqual(1, len(self.complaints("/* CHOICE(edge): a */", "| `edge` | b |\n" * 2)))


if __name__ == "__main__":
    unittest.main()
