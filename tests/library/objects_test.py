"""Tests objects.py, which must report each violation: one wrong source at a time.

usage: objects_test.py NM SIZE COMPILER [FLAG]...
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import objects

RIGHT = ("extern int there; extern const char *const pmu_name; int *pmu_place(void); const char *const pmu_name = \"a\";"
         " int armpmu_there(void); int armpmu_there(void) { return *pmu_place(); }",
         "int *pmu_place(void); int *pmu_place(void) { static const int zero; return (int *)&zero; }")

WRONG = {
    "a call of the C library": "int puts(const char *); int pmu_f(void) { return puts(\"a\"); }",
    "a weak need": "__attribute__((weak)) int hook(void); int pmu_f(void) { return hook ? hook() : 0; }",
    "initialised state": "int pmu_state = 1;",
    "state of a function": "int pmu_f(void) { static int calls; return ++calls; }",
    "state of a thread": "_Thread_local int pmu_state;",
    "a name of anybody": "int settle(void); int settle(void) { return 0; }",
    "a table of pointers that can change": "const char *pmu_names[] = {\"a\"};",
}


class Objects(unittest.TestCase):
    nm = size = None
    compiler = []

    def complaints(self, *sources):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, text in enumerate(sources):
                files.append(Path(folder, f"{number}.c"))
                files[-1].write_text(text, encoding="ascii")
            made = objects.compile_all(self.compiler, folder, [str(file) for file in files], folder)
            return list(objects.complaints(self.nm, self.size, made))

    def test_right_sources_have_no_complaint(self):
        self.assertEqual(self.complaints(*RIGHT), [])

    def test_each_wrong_source_is_one_complaint(self):
        for name, text in WRONG.items():
            with self.subTest(name):
                self.assertEqual(len(self.complaints(*RIGHT, text)), 1)

    def test_a_header_of_the_c_library_is_not_there(self):
        with self.assertRaises(subprocess.CalledProcessError):
            self.complaints("#include <string.h>\n")


if __name__ == "__main__":
    Objects.nm, Objects.size, *Objects.compiler = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
