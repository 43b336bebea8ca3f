"""Two outputs are the same only when every line is, and when something was counted."""

import unittest

import repeat

LINES = ["count work=loop event=0x08 least=1 most=2", "cycles work=loop ccnt=5 event=5"]


class Difference(unittest.TestCase):
    def test_the_same(self):
        self.assertIsNone(repeat.difference(LINES, list(LINES)))

    def test_anything_else(self):
        for first, second, said in (
                ([], [], "nothing was counted"),
                (LINES, LINES[:1], "2 and 1 lines"),
                (LINES, [LINES[0], "cycles"], f"line 2: '{LINES[1]}' and 'cycles'")):
            self.assertEqual(repeat.difference(first, second), said)


if __name__ == "__main__":
    unittest.main()
