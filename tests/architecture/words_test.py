"""Tests words.py, which must report each violation."""

import tempfile
import unittest
from pathlib import Path

import words


class Words(unittest.TestCase):
    def complaints(self, path, text):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
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

    def test_old_words_are_named_in_code_and_file_names(self):
        for path, text in (("src/a.c", "int settle_all(void);"), ("src/a.c", "#define WIDE_CACHE_MAX 3"),
                           ("include/armpmu/a.h", "struct x { int told; };"),
                           ("src/foresight.c", "")):
            with self.subTest(text or path):
                self.assertEqual(len(self.complaints(path, text)), 1)

    def test_private_phrases_of_messages_are_named(self):
        for path, text in (("src/a.c", 'fail("lists are parted by commas");'), ("src/a.def", 'ROW(a, "waits behind it")'),
                           ("src/a.c", '"it says stands above"')):
            with self.subTest(text):
                self.assertEqual(len(self.complaints(path, text)), 1)
        for text in ('/* "for want of" */', "int behind;", 'say("behindhand");'):
            with self.subTest(text):
                self.assertEqual(self.complaints("src/a.c", text), [])

    def test_private_phrases_of_pages_are_named(self):
        for path in ("README.md", "docs/a.md"):
            self.assertEqual(len(self.complaints(path, "It waits behind it.\n")), 1)
        for path, text in (("docs/a.md", "    $ armpmu behind\n"), ("docs/a.md", "```\nbehind\n```\n"), ("docs/a.md", "`behind`"),
                           ("docs/events/a.md", "behind"), ("CHANGELOG.md", "behind")):
            with self.subTest(path + text):
                self.assertEqual(self.complaints(path, text), [])

    def test_private_phrases_of_comments_are_named(self):
        text = "/* What a\n * core is. */\nint a; // Whether nobody\n/* It says What */\n"
        self.assertEqual(len(self.complaints("src/a.c", text)), 3)
        self.assertEqual(self.complaints("tests/a.c", text), [])

    def test_old_words_may_be_said(self):
        for path, text in (("src/a.c", "/* The told site */"), ("src/a.c", 'say("a piece");'),
                           ("src/a.c", "int settler;"), ("tests/a.c", "int settle;"),
                           ("docs/a.md", "A piece of cake.")):
            with self.subTest(text):
                self.assertEqual(self.complaints(path, text), [])

    def test_empty_names_are_named(self):
        self.assertEqual(len(self.complaints("src/utils.c", "")), 1)
        self.assertEqual(len(self.complaints("src/common/cache.c", "")), 1)


if __name__ == "__main__":
    unittest.main()
