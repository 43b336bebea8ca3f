"""Tests cycles.py, which must report each violation."""

import unittest

import cycles


def found(files):
    return {tuple(sorted(cycle)) for cycle in cycles.cycles(cycles.dependencies(files))}


class Cycles(unittest.TestCase):
    def test_none(self):
        self.assertEqual(found({"a/x.c": '#include "a/x.h"\n#include "b/y.h"\n', "a/x.h": "",
                                "b/y.h": "#include <stdio.h>\n"}), set())

    def test_headers_include_each_other(self):
        self.assertEqual(found({"x.h": '#include "y.h"\n', "y.h": '#include "x.h"\n'}), {("x", "y")})

    def test_a_source_uses_what_depends_on_its_header(self):
        self.assertEqual(found({"x.h": "", "x.c": '  #  include "y.h"\n', "y.h": '#include "z.h"\n',
                                "z.h": '#include "x.h"\n'}), {("x", "y", "z")})

    def test_files_alone_may_have_none(self):
        files = {"x.h": "", "x.c": '#include "y.h"\n', "y.h": '#include "x.h"\n'}
        self.assertEqual(cycles.cycles(cycles.dependencies(files, str)), set())
        self.assertEqual(found(files), {("x", "y")})

    def test_two_cycles_are_told_apart(self):
        self.assertEqual(found({"a.h": '#include "b.h"\n', "b.h": '#include "a.h"\n#include "c.h"\n',
                                "c.h": '#include "d.h"\n', "d.h": '#include "c.h"\n'}),
                         {("a", "b"), ("c", "d")})


if __name__ == "__main__":
    unittest.main()
