"""What a guest with two processors prints is only taken for right when both counted and were interrupted."""

import unittest

import processors

COUNTS = ["CPU0      487449      r08", "CPU1      404535234      r08"]
SPIS = [" 29:  477    0 GIC-0 132 Level     arm-pmu", " 30:    0  260 GIC-0 133 Level     arm-pmu"]
PPI = [" 29:  477  260 GIC-0 23 Level     arm-pmu"]


class Judge(unittest.TestCase):
    def test_counts_of_each(self):
        self.assertEqual(processors.per_cpu(COUNTS), [])
        for lines in ([], COUNTS[:1], [COUNTS[0], "CPU1  12 r08"],
                      ["CPU0  404535233  r08", COUNTS[1]]):
            self.assertEqual(len(processors.per_cpu(lines)), 1, lines)

    def test_interrupts_of_each(self):
        self.assertEqual(processors.interrupts(SPIS), [])
        self.assertEqual(processors.interrupts(PPI), [])
        for lines in ([], SPIS[:1], [PPI[0].replace("477", "0")],
                      [SPIS[0], SPIS[1].replace(" 0 ", " 7 ")]):
            self.assertEqual(len(processors.interrupts(lines)), 1, lines)

    def test_the_board_has_two(self):
        self.assertIn("2", processors.board("ppi").options)
        self.assertEqual(processors.board("spi").irq, "irq=gic:132+133")


if __name__ == "__main__":
    unittest.main()
