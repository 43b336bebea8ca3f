"""The page map that the directed programs are judged by."""

import itertools
import unittest

import frames


class Map(unittest.TestCase):
    def test_no_two_pages_share_a_frame(self):
        for seed in (1, 2):
            there = {frames.frame(page, seed) for page in range(0x300, 0x300 + 20000)}
            self.assertEqual(len(there), 20000)
            self.assertLess(max(there), 1 << 20)

    def test_the_numbers_are_those_of_splitmix64(self):
        # The first three that its author's program gives for the seed 1234567.
        self.assertEqual(list(itertools.islice(frames.random_numbers(1234567), 3)),
                         [6457827717110365317, 3203168211198807973, 9817491932198370423])

    def test_colours(self):
        one_by_one = [frames.of_other_colour(page, 1, 1) for page in range(512)]
        self.assertLessEqual(set(one_by_one), {0, 1})
        self.assertEqual(sum(one_by_one), frames.of_other_colour(0, 512, 1))
        self.assertNotEqual(one_by_one, [frames.of_other_colour(page, 1, 2) for page in range(512)])


if __name__ == "__main__":
    unittest.main()
