"""The comparison of user mode with firmware: a difference is said, and what is left out is so by a rule."""

import os
import tempfile
import unittest

import user_mode

HEADER = "@ proves: 0x08 something\n@ expect: INST_RETIRED = 3\n"
FIDELITY = {"INST_RETIRED": "exact", "CPU_CYCLES": "modelled", "NEVER": "exact"}


def judged(user, firmware, parted=False):
    result = user_mode.Result()
    result.judge("p, a32", {"qemu": user, "unicorn": firmware}, FIDELITY, parted)
    return result


class Judging(unittest.TestCase):
    def test_the_same(self):
        result = judged({"INST_RETIRED": 3, "NEVER": 0}, {"INST_RETIRED": 3, "NEVER": 0})
        self.assertEqual((result.wrong, result.seen), ([], {"INST_RETIRED"}))

    def test_a_difference_of_one(self):
        for event in ("INST_RETIRED", "CPU_CYCLES"):
            for user, firmware in ((3, 4), (0, 1), (1, 0)):
                self.assertEqual(judged({event: user}, {event: firmware}).wrong, [
                    f"p, a32: {event}: {user} in user mode, {firmware} as firmware"])

    def test_parted_code_has_exact_events(self):
        counts = {"INST_RETIRED": 3, "CPU_CYCLES": 7}, {"INST_RETIRED": 4, "CPU_CYCLES": 8}
        self.assertEqual([line.split()[2] for line in judged(*counts, parted=True).wrong],
                         ["INST_RETIRED:"])

    def test_the_row(self):
        result = judged({"INST_RETIRED": 3, "CPU_CYCLES": 7, "NEVER": 0},
                        {"INST_RETIRED": 3, "CPU_CYCLES": 7, "NEVER": 0})
        result.programs, result.runs, result.left_out = 1, 1, {"calls of Linux": 2}
        self.assertEqual(result.row(user_mode.TRAITS["xscale"], FIDELITY),
                         "| Intel XScale | 1 | 1 | 1 | 1 | none | calls of Linux: 2 |\n")


class LeavingOut(unittest.TestCase):
    def reason(self, text):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.join(folder, "cortex_a8")
            os.mkdir(folder)
            path = os.path.join(folder, "program.s")
            with open(path, "w", encoding="ascii") as file:
                file.write(HEADER + text)
            return user_mode.reason_to_leave_out(user_mode.directed.Program(path))

    def test_rules(self):
        for text, reason in (
                ("_start: finish\n", None), ("@ the svc at the end\n_start: finish\n", None),
                ("_start: svc #0\n", "calls of Linux or its signals"),
                ('        .include "signal.inc"\n', "calls of Linux or its signals"),
                ("  pld [r4, #64]\n  ldr r0, [r4]\n", None),
                ("  pld [r4]\n  ldr r0, [r5]\n", "preloads from where nothing tells"),
                ("  pldne [r4, -r5]\n  ldr r0, [r4]\n", "preloads from where nothing tells"),
                ("@ status: 132\n", "ended by a signal"),
                ("@ engine: bare\n", "firmware only")):
            self.assertEqual(self.reason(text), reason)


class Document(unittest.TestCase):
    ROW = "| Intel XScale | 1 | 1 | 1 | 1 | none | none |\n"

    def put(self, text, write, row=None, every=True):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.md")
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            status = user_mode.in_document(path, write, user_mode.TRAITS["xscale"], row or self.ROW, every)
            with open(path, encoding="ascii") as file:
                return status, file.read()

    def test_only_its_own_row(self):
        def page(row):
            return ("| Intel XScale | elsewhere |\n" + user_mode.BEGIN + "| Cortex-A8 | 5 |\n" + row +
                    user_mode.END)
        old = page("| Intel XScale | 0 |\n")
        self.assertEqual(self.put(old, False), (1, old))
        self.assertEqual(self.put(old, True), (0, page(self.ROW)))
        self.assertEqual(self.put(page(self.ROW), False), (0, page(self.ROW)))
        self.assertEqual(self.put(page(""), True)[0], 1)

    def test_of_some_programs_what_needs_no_run(self):
        for kept, status in (("1 | 2 | 9 | 9 | none | none", 0), ("1 | 3 | 1 | 1 | none | none", 1),
                             ("1 | 2 | 1 | 1 | none | calls: 1", 1)):
            page = user_mode.BEGIN + f"| Intel XScale | {kept} |\n" + user_mode.END
            row = "| Intel XScale | 1 | 2 | 1 | 1 | 4 | none |\n"
            self.assertEqual(self.put(page, False, row, every=False)[0], status, kept)


if __name__ == "__main__":
    unittest.main()
