"""Tests names.py, which must report each violation."""

import tempfile
import unittest
from pathlib import Path

import names


class Names(unittest.TestCase):
    def complaints(self, **files):
        """The complaints about files of src/; a name's underscore before its ending is the dot."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                file = Path(folder, "src", ".".join(name.rsplit("_", 1)))
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            return names.check(Path(folder))

    def test_a_folder_without_sources_is_no_success(self):
        self.assertEqual(len(self.complaints()), 1)

    def test_one_definition_and_many_uses_pass(self):
        self.assertEqual(self.complaints(
            a_h="#ifndef A_H\n#define A_H\nstruct way {\n};\n#define WAYS 4\n#endif\n",
            b_c="struct way;\nstruct way *of(struct way ways[WAYS]);\nenum { WAY };\n"), [])

    def test_tags_and_macros_of_two_files_are_named_with_both(self):
        for first, second in (("struct run {", "struct run {"), ("enum kind {", "struct kind\n{"),
                              ("union u {", "static const struct u { int i; } us[] = {"),
                              ("struct __attribute__((packed)) p {", "enum p {"),
                              ("#define N 4", "#  define N 4"),
                              ("#define OF(a) a", "#define OF(a, b) (a + b)")):
            with self.subTest(first):
                found = self.complaints(a_c=first + "\n", b_h=second + "\n")
                self.assertEqual(len(found), 1)
                self.assertIn("src/a.c", found[0])
                self.assertIn("src/b.h", found[0])

    def test_twice_in_one_file_is_no_second_meaning(self):
        self.assertEqual(self.complaints(a_c="#if X\n#define N 1\n#else\n#define N 2\n#endif\n"), [])

    def test_columns_of_tables_and_parameters_are_no_names(self):
        column = '#define ROW(a) a,\n#include "rows.def"\n#undef ROW\n'
        self.assertEqual(self.complaints(a_c=column, b_c=column), [])
        parameter = '#define OF "a.def"\n#include "all.inc"\n'
        self.assertEqual(
            self.complaints(a_c=parameter, b_c=parameter, all_inc="#include OF\n#undef OF\n"), [])

    def test_comments_and_strings_define_nothing(self):
        self.assertEqual(self.complaints(
            a_c="/* struct run { */\n// enum kind {\nstruct run { int i; };\nenum kind { A };\n",
            b_c='const char *text = "struct run { enum kind {";\n/*\n#define A\n*/\n'), [])


if __name__ == "__main__":
    unittest.main()
