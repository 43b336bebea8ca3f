#!/usr/bin/env python3
"""The runner of the directed programs: it must see what is wrong."""

import contextlib
import dataclasses
import io
import json
import os
import tempfile
import unittest

import cores
import directed

HEADER = "@ proves: 0x08 something\n"


class FakeCounter:
    """Counts by formula instead of by running: N * 10 instructions, 3 loads."""

    def __init__(self, scratch):
        self.scratch = scratch
        self.machines = []

    def counts(self, program, machine, expected_status, options):
        del expected_status
        self.options = options
        self.machines.append(machine)
        size = os.path.getsize(program)
        names = {name for relation in cores.CORES["cortex_a8"].relations
                 for name in relation.replace("*", " ").replace("+", " ").split()
                 if name[0].isalpha()}
        return {**dict.fromkeys(names, 0), "CPU_CYCLES": 1000, "INST_RETIRED": size,
                "ISSUED_INSNS": size, "ISSUED_OPS": size, "LD_RETIRED": 3, "NOT_THERE": None}


class Runner(unittest.TestCase):
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
            file.write("x" * 10 * symbols.get("N", 1))
        return path

    def run_header(self, text):
        folder = os.path.join(self.folder.name, "cortex_a8")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "program.s")
        with open(path, "w", encoding="ascii") as file:
            file.write(HEADER + text)
        self.counter = FakeCounter(self.folder.name)
        return directed.run_program(directed.Program(path), self.counter)

    def test_the_core_is_that_of_the_folder_above(self):
        folder = os.path.join(self.folder.name, "cortex_r4f", "issue")
        os.makedirs(folder)
        for name, core in ((folder, "cortex_r4f"), (self.folder.name, None)):
            path = os.path.join(name, "program.s")
            with open(path, "w", encoding="ascii") as file:
                file.write(HEADER + "@ expect: LD_RETIRED = 3\n")
            if core:
                self.assertIs(directed.Program(path).core, cores.CORES[core])
            else:
                with self.assertRaisesRegex(directed.HeaderError, "folder of no core; there are cortex_a8"):
                    directed.Program(path)

    def test_right_counts_pass(self):
        self.assertEqual(self.run_header("@ expect: LD_RETIRED = 3\n"), [])

    def test_a_bare_program_has_pins_and_errors(self):
        text = ("@ engine: bare\n@ pin: PMUEXTIN0=1\n@ inject: tcm-ecc@0x40\n"
                "@ expect: NOT_THERE = 0\n@ expect: BARE = 1\n")
        self.assertEqual(self.run_header(text), [])
        self.assertEqual(self.counter.options, ["--engine", "unicorn", "--caches-on", "--pin", "PMUEXTIN0=1",
                                                "--inject", "tcm-ecc@0x40"])

    def test_only_a_bare_program_has_pins(self):
        with self.assertRaisesRegex(directed.HeaderError, "only a bare program"):
            self.run_header("@ pin: PMUEXTIN0=1\n@ expect: LD_RETIRED = 3\n")

    def test_colours_follow_the_seed(self):
        text = "@ set: random.seed = {}\n@ other-colour: ODD = 8, 4\n@ expect: ODD = {}\n"
        for seed in (1, 2):
            odd = sum((8 + i ^ directed.frames.frame(8 + i, seed)) & 1 for i in range(4))
            self.assertEqual(self.run_header(text.format(seed, odd)), [])
        with self.assertRaisesRegex(directed.HeaderError, "random.seed is to be set"):
            self.run_header("@ other-colour: ODD = 8, 4\n@ expect: ODD = 1\n")

    def test_engines_are_known(self):
        with self.assertRaisesRegex(directed.HeaderError, "engine: bare"):
            self.run_header("@ engine: qemu\n@ expect: LD_RETIRED = 3\n")

    def test_wrong_counts_are_reported_with_line_and_values(self):
        wrong = self.run_header("@ expect: LD_RETIRED = 2 + 2\n")
        self.assertEqual(len(wrong), 1)
        self.assertIn("program.s:2: a32: LD_RETIRED = 2 + 2: counted 3, the arithmetic says 4",
                      wrong[0])

    def test_each_value_is_expected_and_each_step_compared(self):
        text = ("@ vary: N = 1, 4, 9\n@ expect: INST_RETIRED = N * 10\n"
                "@ expect-change: INST_RETIRED = N * {}\n")
        self.assertEqual(self.run_header(text.format(10)), [])
        self.assertEqual(len(self.run_header(text.format(11))), 2)

    def test_each_instruction_set_runs(self):
        wrong = self.run_header("@ build: a32 t32\n@ expect: LD_RETIRED = 3 + T32\n")
        self.assertEqual(len(wrong), 1)
        self.assertIn("t32", wrong[0])

    def test_relations_hold_or_are_reported(self):
        core = cores.CORES["cortex_a8"]
        self.addCleanup(cores.CORES.__setitem__, "cortex_a8", core)
        cores.CORES["cortex_a8"] = dataclasses.replace(
            core, relations=core.relations + ("LD_RETIRED <= L1D_CACHE",))
        self.assertEqual(len(self.run_header("@ expect: LD_RETIRED = 3\n")), 1)

    def test_changed_keys_make_a_machine(self):
        self.run_header("@ set: l1d.size_kb = 16\n@ vary: WIDTH bus.width_bits = 32, 64\n"
                        "@ expect: LD_RETIRED = 3\n")
        self.assertEqual(len(self.counter.machines), 2)
        with open(self.counter.machines[1], encoding="ascii") as file:
            self.assertEqual(file.read(), "[machine]\nname = directed\nbase = cortex-a8-plain\n"
                                          "[l1d]\nsize_kb = 16\n[bus]\nwidth_bits = 64\n")

    def test_an_assembled_set_has_the_file_of_each_run(self):
        self.run_header("@ vary: N = 1, 4\n@ expect: INST_RETIRED = N * 10\n")
        program = directed.Program(os.path.join(self.folder.name, "cortex_a8", "program.s"))
        runs = [{"program": "program", "label": f"a32 N = {n}", "file": f"program-{n}"} for n in (1, 4)]
        os.makedirs(os.path.join(self.folder.name, "set", "cortex_a8"))
        place = os.path.join(self.folder.name, "set", "cortex_a8")
        for n in (1, 4):
            with open(os.path.join(place, f"program-{n}"), "w", encoding="ascii") as file:
                file.write("x" * 10 * n)
        for kept in (runs, runs[:1]):
            with open(os.path.join(place, "cortex-a8.json"), "w", encoding="ascii") as file:
                json.dump(kept, file)
            made = directed.MadeSet(os.path.dirname(place))
            if kept == runs:
                self.assertEqual(directed.run_program(program, self.counter, made), [])
            else:
                with self.assertRaisesRegex(directed.HeaderError, "a32 N = 4 is not in .*check/made"):
                    directed.run_program(program, self.counter, made)

    def test_each_program_has_a_line_and_what_is_wrong_is_told(self):
        self.run_header("@ expect: LD_RETIRED = 3\n")
        program = directed.Program(os.path.join(self.folder.name, "cortex_a8", "program.s"))

        def fails(_):
            raise directed.counting.CountingFailed("exit status 3\nnot 0")
        for run, status, lines in (
                (lambda _: [], 0, ["1..1", "ok 1 - program on cortex-a8-plain"]),
                (lambda _: ["LD"], 1, ["1..1", "not ok 1 - program on cortex-a8-plain", "# WRONG LD"]),
                (fails, 1, ["1..1", "not ok 1 - program on cortex-a8-plain",
                            f"# WRONG {program.path}: exit status 3", "# not 0"])):
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                self.assertEqual(directed.report([program], run), status)
            self.assertEqual(printed.getvalue().splitlines(), lines)

    KERNEL = "@ kernel: adds: two\n@ let: TEN = 10\n@ vary: N = 1, 4\n"

    def test_a_kernel_has_the_same_figures_every_round(self):
        path = os.path.join(self.folder.name, "cortex_a8", "program.s")
        self.run_header(self.KERNEL + "@ expect-change: INST_RETIRED = TEN * N\n"
                        "@ expect-change: CPU_CYCLES = (TEN + 3) * N\n")
        program = directed.Program(path)
        self.assertEqual(program.kernel, ("adds", "two"))
        self.assertEqual(program.round(), (10, 13))

    def test_kernels_without_figures_of_a_round_are_refused(self):
        cycles = "@ expect-change: CPU_CYCLES = {}\n"
        instructions = "@ expect-change: INST_RETIRED = 10 * N\n"
        for text in (instructions, instructions + cycles.format("5 * N + 1"),
                     instructions + cycles.format("0 * N"), cycles.format("5 * N"),
                     2 * instructions + cycles.format("5 * N")):
            with self.assertRaises(directed.HeaderError, msg=text):
                self.run_header(self.KERNEL + text)
        for text in ("@ kernel: adds\n", "@ kernel: adds: two\n"):
            with self.assertRaises(directed.HeaderError, msg=text):
                self.run_header(text + instructions + cycles.format("5 * N"))

    def test_headers_that_expect_nothing_are_refused(self):
        for text in ("", "@ expct: LD_RETIRED = 3\n", "@ expect: LD_RETIRED\n",
                     "@ expect: NOT_THERE = 0\n", "@ expect: NO_SUCH_EVENT = 0\n",
                     "@ expect: LD_RETIRED = f(3)\n"):
            with self.assertRaises(directed.HeaderError, msg=text):
                self.run_header(text)


if __name__ == "__main__":
    unittest.main()
