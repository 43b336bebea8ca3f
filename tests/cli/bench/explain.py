"""armpmu explain: schedules whose cycles follow from the manual by the arithmetic beside them, the same loops
as armpmu stat counts them, and messages for invalid arguments.

usage: explain.py ARMPMU MACHINES GCC...

GCC: compilers for Arm: gnueabihf, and gnueabi or aarch64 if they are there.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# Instructions of a loop (what counts it and leads back is added), with the cycle in which each issues on a
# Cortex-A8. Source: ARM DDI 0344K, Instruction timing.
A8 = {
    # Two of the ALU a cycle; the subtraction and the branch after it.
    "pairs": ("add r0, r0, #1\nadd r1, r1, #1", [0, 0, 1, 1], 2),
    # The second needs the first's result, a cycle later; the subtraction joins it, the branch has a cycle of
    # its own, which nothing of the next iteration joins: a branch is the last of its cycle here.
    "chain": ("add r0, r0, #1\nadd r0, r0, #1", [0, 1, 1, 2], 3),
    # What is loaded is there in E3, an ALU operand is needed in E2: one cycle lies between.
    "load": ("ldr r0, [sp]\nadd r1, r1, r0", [0, 2, 2, 3], 4),
    # MUL takes cycles 0 and 1; the result is there after E5 of the second, cycle 6; E2 of what needs it is cycle
    # 7, so it issues in cycle 5.
    "multiply": ("mul r0, r1, r1\nadd r4, r4, r0", [0, 5, 5, 6], 7),
}

# Loops that are counted while they run, too: by the compiler, the machine and the loop.
LIVE = [
    ("gnueabihf", "cortex-a8", "add r0, r0, #1\nldr r1, [sp]\nadd r3, r1, r0\nmul r4, r3, r3\nstr r4, [sp]"),
    ("gnueabihf", "cortex-a8", "ldrd r0, r1, [sp]\nsmull r4, r5, r0, r1\nadds r6, r4, r5\nmovs r7, r6, lsl #3"),
    ("gnueabihf", "cortex-r4f", "add r0, r0, #1\nldr r1, [sp]\nmul r4, r1, r0\nadd r3, r4, r0\nstr r3, [sp]"),
    ("gnueabi-", "pxa255", "ldr r1, [sp]\nadd r3, r1, r0\nmul r4, r3, r0\nadd r5, r4, #1\nstr r5, [sp]"),
    ("aarch64", "neoverse-v1", "ldr x1, [sp]\nadd x3, x1, x0\nmul x4, x3, x3\nmul x4, x4, x3"),
    # Loads of one row of a bank do not wait for one another.
    ("aarch64", "neoverse-n1", "ldr x1, [sp]\nldr x2, [sp, #8]\nldr x3, [sp]\nldr x4, [sp, #8]"),
]


def source(loop, rounds, is_64):
    counter, compare = ("x9", "b.ne") if is_64 else ("r8", "bne")
    enough = f"mov {counter}, #{rounds}" if is_64 else f"ldr {counter}, =#{rounds}"
    end = "mov x8, #93\nmov x0, #0" if is_64 else "mov r7, #1\nmov r0, #0"
    return (f".text\n.global _start\n.type _start, %function\n_start:\nsub sp, sp, #16\n{enough}\n.balign 64\n"
            f".Lloop:\n{loop}\nsubs {counter}, {counter}, #1\n{compare} .Lloop\n{end}\nsvc #0\n.ltorg\n"
            f".size _start, . - _start\n")


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-explain-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def armpmu(self, *words):
        return subprocess.run([ARMPMU, *map(str, words)], capture_output=True, text=True, check=False, timeout=300,
                              env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES})

    def build(self, gcc, loop, rounds=10000):
        program = self.folder / f"loop{rounds}"
        code = self.folder / "loop.s"
        is_64 = "aarch64" in gcc
        code.write_text(source(loop, rounds, is_64))
        words = [] if is_64 else ["-marm", "-march=armv5te"] if "gnueabi-" in gcc else ["-marm"]
        subprocess.run([gcc, "-nostdlib", "-static", *words, code, "-o", program], check=True)
        return program

    def explain(self, program, machine, *words):
        run = self.armpmu("explain", "-j", "--loops", "--machine", machine, *words, program)
        self.assertEqual(run.returncode, 0, run.stderr)
        blocks = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(len(blocks), 1)
        return blocks[0]

    def test_cycles_are_those_of_the_manual(self):
        for name, (loop, cycles, total) in A8.items():
            with self.subTest(name):
                block = self.explain(self.build(GCC["gnueabihf"], loop), "cortex-a8")
                self.assertEqual([insn["cycle"] for insn in block["instructions"]], cycles)
                self.assertEqual(block["cycles"], total)

    def test_a_loop_takes_as_long_as_when_it_runs(self):
        for target, machine, loop in LIVE:
            if target not in GCC:
                continue
            with self.subTest(machine, loop=loop):
                cycles = []
                for rounds in (10000, 30000):
                    program = self.build(GCC[target], loop, rounds)
                    run = self.armpmu("stat", "-j", "-e", "cycles", "--no-hot-spot", "--machine", machine, program)
                    self.assertEqual(run.returncode, 0, run.stderr)
                    cycles.append(int(json.loads(run.stderr.splitlines()[0])["counter-value"]))
                self.assertEqual((cycles[1] - cycles[0]) / 20000, self.explain(program, machine)["cycles"])

    def test_a_wait_names_what_is_waited_for(self):
        program = self.build(GCC["gnueabihf"], A8["load"][0])
        text = self.armpmu("explain", "--loops", program).stdout
        load = next(line.split()[1] for line in text.splitlines() if " ldr " in line)
        self.assertIn(f"waits 1 for r0 of {load}", text)
        insns = self.explain(program, "cortex-a8")["instructions"]
        self.assertEqual(insns[1]["waits-for"], insns[0]["address"])
        self.assertEqual(insns[1]["causes"]["STALL_BACKEND_ILOCK"], 1)

    def test_settings_change_it(self):
        program = self.build(GCC["gnueabihf"], A8["load"][0])
        slower = self.explain(program, "cortex-a8", "--set", "issue.load_latency=4")["cycles"]
        self.assertGreater(slower, self.explain(program, "cortex-a8")["cycles"])

    def test_an_address_is_the_block_that_holds_it(self):
        program = self.build(GCC["gnueabihf"], A8["load"][0])
        loop = self.explain(program, "cortex-a8")
        run = self.armpmu("explain", "-j", program, loop["instructions"][2]["address"])
        self.assertEqual(json.loads(run.stdout), loop)

    def test_a_branch_to_an_undefined_instruction_ends(self):
        """Compilers put one where __builtin_trap() stands."""
        run = self.armpmu("explain", "-j", self.build(GCC["gnueabihf"], "beq 1f\nb 2f\n1:\nudf #0\n2:\nnop"))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertNotIn("udf", run.stdout)

    def test_errors_name_the_thing(self):
        program = self.build(GCC["gnueabihf"], A8["load"][0])
        for words, parts in (
                ([program, "_strat"], ["'_strat' is no function", "_start"]),
                ([program, "0x4"], ["no code", "0x4"]),
                ([self.folder / "none"], ["none"]),
                ([self.folder / "loop.s"], ["loop.s", "not an ELF file"]),
                (["--machine", "cortex-a9", program], ["cortex-a9"]),
                ([], ["a program"])):
            with self.subTest(words=words):
                run = self.armpmu("explain", *words)
                self.assertEqual(run.returncode, 125)
                self.assertEqual(run.stdout, "")
                for part in parts:
                    self.assertIn(part, run.stderr)

    def test_code_of_another_architecture_is_told(self):
        if "aarch64" not in GCC:
            self.skipTest("no compiler for AArch64")
        run = self.armpmu("explain", self.build(GCC["aarch64"], "add x0, x0, #1"))
        self.assertEqual((run.returncode, run.stdout), (125, ""))
        self.assertIn("A64", run.stderr)
        self.assertIn("--machine", run.stderr)


if __name__ == "__main__":
    ARMPMU, MACHINES = sys.argv[1:3]
    GCC = {target: path for path in sys.argv[3:] for target in ("gnueabihf", "gnueabi-", "aarch64") if target in path}
    unittest.main(argv=sys.argv[:1])
