"""Tests file_names.py, which must report a file that does not exist."""

import tempfile
import unittest
from pathlib import Path

import file_names


class FileNames(unittest.TestCase):
    def complaints(self, text):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("src/pmu/count.c", "src/pmu/device.h"):
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("")
            Path(folder, "src/pmu/count.c").write_text(text)
            return file_names.check(Path(folder))

    def test_what_is_there_may_be_named(self):
        text = '/* count.c and pmu/device.h; Linux drivers/perf/a.c */\nconst char *x = "gone.c";\n'
        self.assertEqual(self.complaints(text), [])

    def test_what_is_gone_is_named_with_its_line(self):
        text = "int a;\n/* See tally.c,\n * and unit/device.h. */\n"
        self.assertEqual(self.complaints(text), ["src/pmu/count.c:2: tally.c is not there",
                                                 "src/pmu/count.c:3: unit/device.h is not there"])

    def test_without_sources_it_fails(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(file_names.check(Path(folder))), 1)


if __name__ == "__main__":
    unittest.main()
