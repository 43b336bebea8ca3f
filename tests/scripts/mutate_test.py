"""scripts/mutate.py makes the intended changes, and none where it must not."""

import contextlib
import io
import sys
import tempfile
import unittest
from collections import Counter
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


SOURCE = """#define LIMIT \\
    8
static const int table[] = {
    1,
};
static int
broken(int a)
{
    return a < LIMIT;
}

__attribute__((noinline)) struct x *starred(int a,
                                            int b)
{
    return a + b;
}
"""


class Names(unittest.TestCase):
    def test_a_mutant_is_in_a_function_a_macro_or_a_table(self):
        found = {(m.function, m.kind, m.line) for m in mutate.mutants_of("a.c", SOURCE)}
        self.assertEqual(found, {("LIMIT", "constant", 2), ("table", "constant", 4),
                                 ("broken", "comparison", 9), ("starred", "operator", 15)})


def a_mutant(path="src/pmu/a.c", function="f", kind="constant", line=1):
    return mutate.Mutant(path, function, line, 0, "1", "2", kind)


class Equivalents(unittest.TestCase):
    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "scripts").mkdir()
            (root / mutate.EQUIVALENT).write_text(text, encoding="utf-8")
            return mutate.equivalents(root)

    def test_a_row_is_read(self):
        self.assertEqual(self.read("# about\n\nsrc/pmu/a.c f constant 2 No difference.\n"),
                         {("src/pmu/a.c", "f", "constant"): (2, "No difference.")})

    def test_a_wrong_row_is_refused(self):
        for text, wrong in (("src/pmu/a.c f constant 2\n", ":1: 'FILE FUNCTION KIND"),
                            ("\nsrc/pmu/a.c f constant two No.\n", ":2: 'FILE FUNCTION KIND"),
                            ("a.c f constant 1 No.\na.c f constant 2 Yes.\n", ":2: a second row")):
            with self.assertRaisesRegex(SystemExit, wrong):
                self.read(text)

    def test_the_rows_of_the_sources_are_read(self):
        rows = mutate.equivalents(Path(__file__).resolve().parents[2])
        self.assertGreater(len(rows), 100)
        self.assertLessEqual({kind for _, _, kind in rows},
                             {"comparison", "operator", "constant", "condition", "statement"})


class Report(unittest.TestCase):
    ROWS = {("src/pmu/a.c", "f", "constant"): (1, "No difference.")}
    PLACES = {("src/pmu/a.c", "f", "constant")}

    def report(self, *verdicts, rows=None, complete=False):
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            status = mutate.report(self.ROWS if rows is None else rows, self.PLACES, verdicts, complete)
        return status, said.getvalue()

    def test_what_a_row_explains_passes(self):
        status, said = self.report((a_mutant(), "survived"), (a_mutant(), "killed"), complete=True)
        self.assertEqual(status, 0)
        self.assertRegex(said, r"src/pmu +2 mutants +50.0 % killed, 1 survived, 0 of them not")

    def test_one_survivor_more_fails(self):
        status, said = self.report(*[(a_mutant(line=n), "survived") for n in (3, 7)])
        self.assertEqual(status, 1)
        self.assertIn("src/pmu/a.c f constant: 2 survived, scripts/mutants explains 1", said)
        self.assertIn("src/pmu/a.c:7: f: constant: 1 -> 2", said)
        self.assertIn("1 of them not explained", said)

    def test_another_kind_or_function_is_not_explained(self):
        for mutant in (a_mutant(kind="operator"), a_mutant(function="g"), a_mutant(path="src/pmu/b.c")):
            self.assertEqual(self.report((mutant, "survived"))[0], 1)

    def test_a_row_that_explains_more_than_survived(self):
        self.assertEqual(self.report((a_mutant(), "killed"))[0], 0)
        status, said = self.report((a_mutant(), "killed"), complete=True)
        self.assertEqual(status, 1)
        self.assertIn("src/pmu/a.c f constant: it explains 1, 0 survived", said)

    def test_a_row_for_what_is_not_there(self):
        status, said = self.report((a_mutant(), "killed"), rows={("src/pmu/a.c", "g", "constant"): (1, "")})
        self.assertEqual(status, 1)
        self.assertIn("src/pmu/a.c g constant: there is no such mutant", said)

    def test_each_folder_has_its_score(self):
        other = a_mutant("src/cores/x/a.c")
        _, said = self.report((a_mutant("src/parts/a.c"), "killed"), (other, "survived"),
                              (other, "no mutant"), rows={})
        self.assertRegex(said, r"(?m)^src/cores/x +1 mutants +0.0 % killed, 1 survived, 1 of them not")
        self.assertRegex(said, r"(?m)^src/parts +1 mutants +100.0 % killed, 0 survived, 0 of them not")

    def test_nothing_tried_is_no_success(self):
        self.assertEqual(self.report(rows={})[0], 1)


class Files(unittest.TestCase):
    def test_folders_inside_folders_count(self):
        with tempfile.TemporaryDirectory() as folder:
            inside = Path(folder, "src/cores/x")
            inside.mkdir(parents=True)
            (inside / "a.c").write_text("int f(void)\n{\n    return 3;\n}\n", encoding="utf-8")
            self.assertEqual(
                [mutate.spelled(m) for m in mutate.all_mutants(Path(folder), ["src/cores"])],
                ["src/cores/x/a.c:3: f: constant: 3 -> 4", "src/cores/x/a.c:3: f: constant: 3 -> 2"])


class Rows(unittest.TestCase):
    def test_each_row_explains_mutants_that_there_are(self):
        """A function that was renamed or rewritten leaves no row behind."""
        root = Path(__file__).resolve().parents[2]
        rows = mutate.equivalents(root)
        folders = [folder for subject in mutate.SUBJECTS.values() for folder in subject.folders]
        there = Counter(map(mutate.place_of, mutate.all_mutants(root, folders)))
        self.assertGreater(len(rows), 100)
        self.assertEqual([f"{' '.join(place)}: {number} explained, {there[place]} made"
                          for place, (number, _) in rows.items() if there[place] < number], [])


if __name__ == "__main__":
    unittest.main()
