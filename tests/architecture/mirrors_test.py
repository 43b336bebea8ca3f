"""Tests mirrors.py, which must report a file without a test, and a list that is too long."""

import tempfile
import unittest
from pathlib import Path

import mirrors


class Mirrors(unittest.TestCase):
    def complaints(self, names, listed, limit=None):
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("")
            return mirrors.complaints(Path(folder), listed, len(listed) if limit is None else limit)

    def test_a_test_in_the_same_place_is_enough(self):
        self.assertEqual(self.complaints(["src/isa/a.c", "src/isa/a.h", "tests/isa/a.c"], []), [])
        self.assertEqual(self.complaints(["src/isa/x/a.h", "tests/isa/x/a.py"], []), [])

    def test_a_test_in_another_folder_is_not(self):
        self.assertEqual(self.complaints(["src/isa/a.c", "tests/pmu/a.c"], []),
                         ["isa/a: has no test; write tests/isa/a.c"])

    def test_a_listed_file_needs_none(self):
        self.assertEqual(self.complaints(["src/isa/a.c"], ["isa/a"]), [])

    def test_the_list_shrinks(self):
        self.assertEqual(self.complaints(["src/isa/a.c", "tests/isa/a.c"], ["isa/a", "isa/b"]),
                         ["isa/a: has a test; take it off mirrors.list", "isa/b: is gone; take it off mirrors.list"])

    def test_the_list_does_not_grow_unseen(self):
        self.assertEqual(len(self.complaints(["src/isa/a.c"], ["isa/a"], 0)), 1)

    def test_a_program_that_no_test_runs_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in (("a.s", ""), ("b.s", ""), ("meson.build", "['a', 'bb']")):
                path = Path(folder, "tests/directed/core", name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            self.assertEqual(mirrors.unnamed_programs(Path(folder)),
                             ["tests/directed/core/b.s: no meson.build names it, so no test runs it"])

    def test_without_files_it_fails(self):
        self.assertEqual(len(self.complaints(["src/cli/a.c"], [])), 1)


if __name__ == "__main__":
    unittest.main()
