"""Shows that words.py sees what it is for."""

import tempfile
import unittest
from pathlib import Path

import words


class Words(unittest.TestCase):
    def complaints(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True)
            file.write_text(text, encoding="utf-8")
            return words.check(Path(folder))

    def test_plain_text_passes(self):
        self.assertEqual(self.complaints("src/cache.c", "/* what is left to do: nothing */\n"), [])

    def test_build_folders_are_not_read(self):
        self.assertEqual(self.complaints("build-asan/a.c", "TO" "DO\n"), [])

    def test_each_breach_is_named_with_its_line(self):
        for line in ("/* TO" "DO */", "cd /ho" "me/somebody", "<" * 7 + " mine"):
            with self.subTest(line):
                found = self.complaints("src/a.c", "\n" + line + "\n")
                self.assertEqual(len(found), 1)
                self.assertIn("src/a.c:2:", found[0])

    def test_empty_names_are_named(self):
        self.assertEqual(len(self.complaints("src/utils.c", "")), 1)
        self.assertEqual(len(self.complaints("src/common/cache.c", "")), 1)


if __name__ == "__main__":
    unittest.main()
