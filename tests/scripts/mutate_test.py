"""Shows that scripts/mutate.py makes the changes it is for, and where it must not make any."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "scripts"))

import mutate


def changes(line):
    """What the line becomes, one change at a time."""
    return [mutate.apply(line + "\n", m).rstrip() for m in mutate.mutants_of("a.c", line + "\n")]


class Changes(unittest.TestCase):
    def test_a_comparison_is_turned_and_moved(self):
        self.assertEqual(changes("    return a < b;"), ["    return a <= b;", "    return a >= b;"])
        self.assertEqual(changes("    return a == b;"), ["    return a != b;"])

    def test_a_constant_moves_by_one(self):
        self.assertEqual(changes("int x[8];"), ["int x[9];", "int x[7];"])
        self.assertEqual(changes("int x = 0;"), ["int x = 1;"])
        self.assertEqual(changes("#define LIMIT 0x10u"), ["#define LIMIT 17u", "#define LIMIT 15u"])

    def test_and_and_or_change_places(self):
        self.assertEqual(changes("    return a && b;"), ["    return a || b;"])
        self.assertEqual(changes("    return a & b;"), ["    return a | b;"])

    def test_a_condition_is_negated(self):
        self.assertIn("    if (!(ready(a))) {", changes("    if (ready(a)) {"))

    def test_a_negation_is_dropped(self):
        self.assertEqual(changes("    return !a;"), ["    return a;"])
        self.assertEqual(changes("    return a & ~b;"), ["    return a | ~b;", "    return a & b;"])

    def test_a_statement_is_left_out(self):
        self.assertEqual(changes("    settle(pmu);"), ["    ;"])
        self.assertEqual(changes("    *value = held;"), ["    ;"])

    def test_a_declaration_and_a_return_stay(self):
        self.assertEqual(changes("    const uint64_t n = posts;"), [])
        self.assertEqual(changes("    return value;"), [])

    def test_comments_strings_and_includes_stay(self):
        self.assertEqual(changes('#include "pmu/device.h" /* 1 < 2 */'), [])
        self.assertEqual(changes('    say("3 && 4", value) /* a == b */'), [])
        self.assertEqual(changes("/* settle(pmu);"), [])

    def test_a_pointer_is_no_operator(self):
        self.assertEqual(changes("    struct found *const found = at(&a);"), [])


class Explanations(unittest.TestCase):
    def test_rows_are_read_with_their_file(self):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "docs").mkdir()
            (root / mutate.DOCUMENT).write_text(
                "# Mutants\n\n## `src/pmu/a.c`\n\n| Line | Change | Why |\n|---|---|---|\n"
                "| `` if (a \\|\\| b) `` | `` 1 -> 2 `` | no difference |\n", encoding="utf-8")
            self.assertEqual(mutate.explained(root),
                             {("src/pmu/a.c", "if (a || b)", "1 -> 2"): "no difference"})


if __name__ == "__main__":
    unittest.main()
