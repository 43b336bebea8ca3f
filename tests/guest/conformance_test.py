"""What the conformance program prints is only taken for right when it is complete."""

import unittest

import conformance

RIGHT = ["ok one", "ok two", "2 checks, 0 wrong"]
WRONG = ["ok one", "WRONG two: 0x00000001, right is 0x00000002", "2 checks, 1 wrong"]


class Judge(unittest.TestCase):
    def test_complete_runs(self):
        self.assertEqual(conformance.judge(0, RIGHT), ([], []))
        self.assertEqual(conformance.judge(1, WRONG), ([], ["two"]))
        self.assertEqual(conformance.judge(1, ["QEMU warns", *WRONG]), ([], ["two"]))

    def test_anything_else_is_a_complaint(self):
        cases = [
            (None, RIGHT),
            (1, RIGHT),
            (0, WRONG),
            (0, RIGHT[:-1]),
            (0, RIGHT[1:]),
            (0, []),
            (-11, RIGHT),
            (2, ["ok one", "WRONG exception 0x00000001 with LR 0x00000000: none can be here"]),
        ]
        for status, lines in cases:
            with self.subTest(status=status, lines=lines):
                complaints, _ = conformance.judge(status, lines)
                self.assertEqual(len(complaints), 1)


class WithoutPlugin(unittest.TestCase):
    def test_a_monitor_of_qemu_counts_no_instruction(self):
        target = conformance.TARGETS["virt"]
        self.assertTrue(conformance.is_without_plugin(target, [], ["event 08 of 100 NOPs", "x"]))
        for complaints, wrong in (([], ["x"]), ([], []), (["ended"], ["event 08 of 100 NOPs"])):
            self.assertFalse(conformance.is_without_plugin(target, complaints, wrong))

    def test_or_there_is_none(self):
        target = conformance.TARGETS["xscale1"]
        none = "exception 0x00000001 with LR 0x00100444: none can be here"
        self.assertTrue(conformance.is_without_plugin(target, ["ended"], [none]))
        self.assertTrue(conformance.is_without_plugin(target, ["ended"], ["x", none]))
        for complaints, wrong in (([], [none]), (["ended"], []), (["ended"], [none, "x"]),
                                  (["ended"], [none.replace("0001", "0003")])):
            self.assertFalse(conformance.is_without_plugin(target, complaints, wrong))


if __name__ == "__main__":
    unittest.main()
