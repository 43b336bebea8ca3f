"""Firmware of AArch64 that cannot continue ends with a report, its registers and a status of its own.

usage: bad64.py ARMPMU COMPILER...    the words of a compiler
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, *COMPILER = sys.argv[1:]
del sys.argv[1:]

# Text of the program behind "start:", words of the command line, exit status, what the report says.
CASES = {
    "jump to nowhere": (
        "ldr x0, =0x9000000000\n br x0", [], 123,
        r"an Instruction Abort at 0x9000000000 \(no memory is there\) goes to EL3, syndrome "
        r"0x86000010, and there is no vector table: 0x00000200 holds no code\n.* PC 0x9000000000, LR"),
    "call to nowhere": (
        "ldr x3, =0x90000000\n blr x3\n.global behind\nbehind: nop", [], 123,
        r"an Instruction Abort at 0x90000000.*\n.*LR 0x\w+ behind,"),
    "endless": (
        "b .", ["--max-insns", "1000"], 124,
        r"the limit of 1000 instructions is reached\n  after 1000 instructions, PC 0x\w+ start,"),
    "endless, by the clock": ("b .", ["--timeout", "0.2"], 124, r"the time limit of 0.2 seconds is over"),
    "unaligned PC": ("adr x0, start + 2\n br x0", [], 123, r"syndrome 0x8a000000"),
    "unmapped read": (
        "mov x1, #0xc0000000\n nop\n.global here\nhere: ldr x0, [x1, #8]\n nop", [], 123,
        r"a Data Abort at 0x\w+ \(it reads 0xc0000008, where no memory is\).*syndrome 0x96000010.*\n"
        r".* after 2 instructions, PC 0x\w+ here,"),
    "unmapped pair": (
        "mov x1, #0xc0000000\n stp x0, x1, [x1]\n nop", [], 123,
        r"a Data Abort at 0x\w+ \(it writes 0xc0000000.*syndrome 0x96000050.*\n.* after 1 instructions"),
    "undefined": (".global here\nhere: udf #0", [], 123,
                  r"an undefined instruction at 0x\w+ goes to EL3, syndrome 0x02000000"),
    "undefined in EL1": (
        "mov x0, #0x3c5\n msr spsr_el3, x0\n adr x0, here\n msr elr_el3, x0\n mov x0, #0x431\n"
        " msr scr_el3, x0\n mov x0, #1 << 31\n msr hcr_el2, x0\n eret\nhere: mrs x0, scr_el3", [], 123,
        r"an undefined instruction at 0x\w+ goes to EL1"),
    "supervisor call": ("nop\nsvc #1", [], 123, r"an SVC at 0x40000004 goes to EL3, syndrome 0x56000001"),
    "a program for Linux": ("mov x8, #93\nsvc #0", [], 123,
                            r"an SVC(.*\n)+armpmu: \S+: SVC #0 is what calls Linux: if this is a program for Linux, whose "
                            r"file does not say so, 'armpmu stat --engine qemu' runs it"),
    "hypervisor call": ("hvc #1", [], 123, r"an undefined instruction at 0x\w+ goes to EL3"),
    "monitor call": ("smc #3", [], 123, r"an SMC at 0x\w+ goes to EL3, syndrome 0x5e000003"),
    "breakpoint": ("brk #9", [], 123, r"a BRK at 0x\w+ goes to EL3, syndrome 0xf2000009"),
    "SVE": ("mov x0, #0x100\n msr cptr_el3, x0\n isb\n .inst 0x2518e3e0", [], 123,
            r"an undefined instruction at 0x\w+ goes to EL3"),
    "no EL3": ("mrs x0, scr_el3", ["--el", "2"], 123, r"an undefined instruction at 0x\w+ goes to EL2"),
    "EL1 only": ("mov x0, #1\n msr S3_3_C13_C2_5, x0\n mrs x1, CurrentEL\n smc #0", ["--el", "1"], 123,
                 r"an undefined instruction at 0x\w+ goes to EL1(?s:.*) x1 0000000000000004 "),
    "sleep": ("wfi", [], 123, r"it waits for an interrupt"),
    "AArch32": ("mov x0, #0x1d3\n msr spsr_el3, x0\n eret", [], 123, r"it returns to AArch32 code"),
    "translation that leaves it out": (
        "ldr x0, =0x40000000\n msr ttbr0_el3, x0\n mov x0, #25\n msr tcr_el3, x0\n mov x0, #1\n"
        " msr sctlr_el3, x0\n isb\n nop", [], 123, r"address translation refuses this code"),
}


class Ends(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def build(self, text):
        source, elf = Path(self.folder.name, "program.S"), str(Path(self.folder.name, "program.elf"))
        source.write_text(f".global start\n.type start, %function\nstart:\n{text}\n.ltorg\n", encoding="ascii")
        subprocess.run([*COMPILER, source, "-o", elf], check=True)
        return elf

    def run_on(self, *words, command="run"):
        done = subprocess.run([ARMPMU, command, "--machine", "neoverse-v1", *words], text=True, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True)
        return done.returncode, done.stdout, done.stderr

    def test_each(self):
        for name, (text, words, status, pattern) in CASES.items():
            with self.subTest(name):
                got, out, err = self.run_on(*words, self.build(text))
                self.assertEqual(got, status, err)
                self.assertRegex(err, re.compile(pattern))
                self.assertEqual(out, "")
                self.assertRegex(err, r"x28 [0-9a-f]{16} +x29 [0-9a-f]{16} +x30 [0-9a-f]{16}\n")

    def test_counts_so_far(self):
        got, _, err = self.run_on("--engine", "unicorn", "--max-insns", "100", "-x,", "-e", "INST_RETIRED",
                                  self.build("b ."), command="stat")
        self.assertEqual(got, 124)
        self.assertIn("\n100,instructions,INST_RETIRED,", "\n" + err)

    def test_trace_names_level_and_trap(self):
        text = ("mov x0, #1 << 30\n msr cptr_el3, x0\n mov x0, #0x431\n msr scr_el3, x0\n mov x0, #1 << 31\n"
                " msr hcr_el2, x0\n mov x0, #0x3c5\n msr spsr_el3, x0\n adr x0, below\n msr elr_el3, x0\n"
                " mrs x1, S3_3_C13_C4_2\n eret\nbelow: mrs x1, S3_3_C13_C4_2")
        _, _, err = self.run_on("--trace-regs", self.build(text))
        lines = [line.split() for line in err.splitlines() if "AMEVCNTR02" in line]
        self.assertEqual([line[-2:] for line in lines], [["el3", "done"], ["to", "EL3"]], err)
        self.assertEqual((lines[0][0], lines[1][0], lines[1][-4]), ("10", "12", "el1"), err)
        self.assertRegex(err, r"an access to a register at 0x\w+ goes to EL3, syndrome 0x62")

    def test_a_32_bit_machine_says_so(self):
        done = subprocess.run([ARMPMU, "run", "--machine", "cortex-a8", self.build("b .")], text=True, check=False,
                              capture_output=True)
        self.assertEqual(done.returncode, 125)
        self.assertIn("is a program for 64-bit Arm, which the cortex-a8 of machine cortex-a8", done.stderr)


if __name__ == "__main__":
    unittest.main()
