#!/usr/bin/env python3
"""The table of kernels: it must see what was not as the arithmetic says, and what changed."""

import os
import tempfile
import unittest

import directed
import kernels

HEADER = """@ kernel: {}: two
@ vary: N = 1, 4, 9
@ expect-change: INST_RETIRED = 6 * N
@ expect-change: CPU_CYCLES = 4 * N
"""


class FakeCounter:
    """Counts by formula instead of by running, from the rounds that the program was made for."""

    def __init__(self, scratch, instructions=6, cycles=4):
        self.scratch = scratch
        self.instructions, self.cycles = instructions, cycles

    def counts(self, program, machine, expected_status):
        del machine, expected_status
        rounds = os.path.getsize(program)
        return {"INST_RETIRED": 100 + self.instructions * rounds,
                "CPU_CYCLES": 200 + int(self.cycles * rounds)}


class Table(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.assemble = directed.assemble
        directed.assemble = self.fake_assemble
        self.addCleanup(setattr, directed, "assemble", self.assemble)

    def fake_assemble(self, program, build, symbols, folder):
        del program, build
        path = os.path.join(folder, "program")
        with open(path, "w", encoding="ascii") as file:
            file.write("x" * symbols["N"])
        return path

    def kernel(self, name):
        folder = os.path.join(self.folder.name, "cortex_a8")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, name + ".s")
        with open(path, "w", encoding="ascii") as file:
            file.write(HEADER.format(name))
        return directed.Program(path)

    def table(self, **counts):
        counter = FakeCounter(self.folder.name, **counts)
        return kernels.table([self.kernel("adds"), self.kernel("loads")], counter)

    def test_a_row_has_the_figures_of_a_round(self):
        text, wrong = self.table()
        self.assertEqual(wrong, [])
        self.assertIn("| two | 6 | 4 | 4 | 0.667 |\n", text)

    def test_what_is_not_as_the_arithmetic_says_is_named_and_shown(self):
        text, wrong = self.table(cycles=4.2)
        self.assertEqual(wrong, ["adds", "loads"])
        self.assertIn("| two | 6 | 4 | 4.20 | 0.700 |\n", text)
        self.assertEqual(self.table(instructions=7)[1], ["adds", "loads"])

    def test_another_table_in_the_document_is_seen_and_replaced(self):
        document = os.path.join(self.folder.name, "document.md")
        begin, end = kernels.BEGIN.format("core"), kernels.END.format("core")
        with open(document, "w", encoding="utf-8") as file:
            file.write("before\n" + begin + "old\n" + end + "after\n")
        self.assertEqual(kernels.put(document, "core", "new\n", False), 1)
        self.assertEqual(kernels.put(document, "core", "new\n", True), 0)
        self.assertEqual(kernels.put(document, "core", "new\n", False), 0)
        with open(document, encoding="utf-8") as file:
            self.assertEqual(file.read(), "before\n" + begin + "new\n" + end + "after\n")


if __name__ == "__main__":
    unittest.main()
