"""Firmware that cannot continue ends with a report, its registers and a status of its own.

usage: bad.py ARMPMU ASSEMBLER_AND_LINKER...    the words of a compiler
"""

import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, *COMPILER = sys.argv[1:]
del sys.argv[1:]

LINUX = (r"Supervisor Call(.*\n)+armpmu: \S+: SVC #0 is what calls Linux: if this is a program for Linux, whose file does "
         r"not say so, 'armpmu stat --engine qemu' runs it")

# Text of the program behind "start:", words of the command line, exit status, what the report says.
CASES = {
    "jump to nowhere": (
        "ldr r0, =0x90000000\n bx r0", [], 123,
        r"Prefetch Abort at 0x90000000 \(no memory is there\), and there is no vector table: "
        r"0x0000000c holds no code\n.* PC 0x90000000, LR"),
    "call to nowhere": (
        "ldr r3, =0x90000000\n blx r3\n.global behind\nbehind: nop", [], 123,
        r"Prefetch Abort at 0x90000000.*LR 0x\w+ behind,"),
    "endless": (
        "b .", ["--max-insns", "1000"], 124,
        r"the limit of 1000 instructions is reached\n  after 1000 instructions, PC 0x\w+ start,"),
    "endless, by the clock": ("b .", ["--timeout", "0.2"], 124,
                              r"the time limit of 0.2 seconds is over"),
    "endless, without a limit": (
        ".global stop\nstop: b .", [], 123,
        r"it is in an endless loop\n(.*\n)+armpmu: \S+: the branch at 0x\w+ goes to itself with "
        r"interrupts masked: end the program by semihosting's SYS_EXIT or a store of its status to "
        r"0xff000804"),
    "endless, in a handler": (
        "adr r0, vectors\n mcr p15, 0, r0, c12, c0, 0\n ldr r0, =0x90000000\n ldr r1, [r0]\n"
        ".balign 32\nvectors: b .\n b .\n b .\n b .\n b .\n b .\n b .\n b .", ["--max-insns", "1000"], 124,
        r"armpmu: \S+: it loops at 0x\w+, where it handles an abort that LR says came from about 0x\w+"),
    "an FPU that is off": (
        ".fpu vfpv3\n mov r0, #1\n vmov s0, r0", [], 123,
        r"Undefined Instruction(.*\n)+armpmu: \S+: the instruction at 0x\w+4 is the FPU's, which is off after "
        r"a reset: enable it first .*, as examples/startup does, or build with -mfloat-abi=soft"),
    "an FPU that is off, in T32": (
        ".thumb\n.fpu neon\n adr r0, 1f + 1\n bx r0\n.balign 4\n1: vadd.i32 q0, q1, q2", [], 123,
        r"is the FPU's, which is off after a reset"),
    "unaligned PC": (
        "ldr r0, =start + 2\n bx r0", [], 123,
        r"Prefetch Abort|Undefined Instruction|limit"),
    "unmapped read": (
        "mov r1, #0xc0000000\n nop\n.global here\nhere: ldr r0, [r1, #4]\n nop", [], 123,
        r"Data Abort at 0x\w+ \(it reads 0xc0000004, where no memory is\).*\n.* after 2 "
        r"instructions, PC 0x\w+ here,"),
    "unmapped write": (
        "mov r1, #0xc0000000\n stmia r1, {r0, r1}\n nop", [], 123,
        r"Data Abort at 0x\w+ \(it writes 0xc0000000.*\n.* after 1 instructions"),
    "undefined": (".global here\nhere: udf #0", [], 123,
                  r"Undefined Instruction at 0x\w+, and there is no vector table.*\n.* PC "
                  r"0x\w+ start"),
    "no vectors": ("nop\n svc #1", [], 123, r"Supervisor Call at 0x00010004, and there is no vector table"),
    "no vectors, in T32": (".thumb\n adr r0, 1f + 1\n bx r0\n.balign 4\n1: nop\n svc #1", [], 123,
                           r"Supervisor Call at 0x0001000a, and there is no vector table"),
    "a program for Linux": ("mov r7, #1\n svc #0", [], 123, LINUX),
    "a program for Linux, in T32": (".thumb\n adr r0, 1f + 1\n bx r0\n.balign 4\n1: movs r7, #1\n svc #0", [], 123,
                                    LINUX),
    "sleep": (".arch_extension sec\n wfi", [], 123,
              r"it waits for an interrupt.*: let a counter's overflow or a --pin assert its line"),
    "zeros": (".word 0, 0, 0\n svc #1", [], 123, r"Supervisor Call"),
    "Undefined in an IT block": (
        ".thumb\n adr r0, 1f + 1\n bx r0\n.balign 4\n1: cmp r0, r0\n it eq\n "
        "mrceq p15, 0, r1, c9, c12, 6", [], 123,
        r"Undefined Instruction at 0x\w+, and there is no vector table.*\n  after 4 instructions"),
    "a stack that runs into the code": (
        "ldr sp, =start + 0x1000\n bl grow\n.global grow\n.type grow, %function\n"
        "grow: push {r0-r7, lr}\n add r0, r0, #1\n bl grow\n pop {r0-r7, pc}", [], 123,
        r"^armpmu: \S+: the code from PC 0x\w+ to 0x\w+ was written over while it executed.*The "
        r"program has overwritten its own code: the store at PC 0x0001000\w grow wrote to 0x0001\w+"
        r", which was executed then"),
    "a pointer into the code": (
        "adr r1, victim\n mvn r2, #0\n nop\n.global stray\nstray: str r2, [r1, #4]\n bl victim\n"
        "2: b 2b\n.global victim\n.type victim, %function\nvictim: nop\n nop\n bx lr", [], 123,
        r"^armpmu: \S+: Undefined Instruction at 0x\w+, and there is no vector table.*The program has "
        r"overwritten its own code: the store at PC 0x0001000c stray wrote to 0x0001001c"),
    "a vector that raises an exception": (
        "adr r0, 1f\n mcr p15, 0, r0, c12, c0, 0\n udf #0\n.balign 32\n1: nop\n udf #1", [], 123,
        r"exceptions repeat forever, the last at 0x\w+4, and no instruction executes "
        r"between them: a vector's own instruction raises one\n  after 2 instructions"),
    "secure monitor call": (".arch_extension sec\n smc #0", [], 123,
                            r"Secure Monitor Call at 0x\w+, and there is no vector table: "
                            r"0x00000008 holds no code"),
}


def run(*words):
    done = subprocess.run([ARMPMU, *words], text=True, check=False, stdin=subprocess.DEVNULL,
                          capture_output=True)
    return done.returncode, done.stdout, done.stderr


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return str(Path(self.folder.name) / name)

    def build(self, text, *words):
        if text.startswith(".thumb"):
            text = text.replace(".thumb\n", "", 1)
            text = text.replace(".balign 4\n1:", ".balign 4\n.thumb\n1:")
        source, elf = self.path("program.S"), self.path("program.elf")
        Path(source).write_text(".syntax unified\n.arm\n.global start\n.type start, %function\n"
                                f"start:\n{text}\n.ltorg\n", encoding="ascii")
        subprocess.run([*COMPILER, *words, source, "-o", elf], check=True)
        return elf


class Ends(Folder):
    def test_each(self):
        for name, (text, words, status, pattern) in CASES.items():
            with self.subTest(name):
                elf = self.build(text)
                if name == "unaligned PC":
                    words = ["--max-insns", "1000"]
                got, out, err = run("run", *words, elf)
                self.assertIn(got, (status, 124) if name == "unaligned PC" else (status,), err)
                self.assertRegex(err, re.compile(pattern, re.DOTALL if ".*\\n" not in pattern
                                                 else 0))
                self.assertEqual(out, "")
                self.assertRegex(err, r"r12 [0-9a-f]{8} +r13 [0-9a-f]{8} +r14 [0-9a-f]{8} +r15")

    def test_the_header_of_the_file_at_address_0_is_no_vector_table(self):
        elf = self.build("udf #0", "-Wl,-Ttext=0x8000,-z,max-page-size=0x10000")
        got, _, err = run("run", "--timeout", "60", elf)
        self.assertEqual(got, 123, err)
        self.assertIn("Undefined Instruction at 0x00008000, and there is no vector table: 0x00000004 holds no code", err)

    def test_a_cache_that_is_off_is_told(self):
        text = (" ldr r0, =60000\n ldr r2, =start\n1: ldr r1, [r2]\n subs r0, r0, #1\n bne 1b\n"
                " ldr r1, =0xff000804\n str r0, [r1]\n b .")
        on = (" mrc p15, 0, r0, c1, c0, 0\n orr r0, r0, #4\n mcr p15, 0, r0, c1, c0, 0\n")
        got, _, err = run("stat", "--engine", "unicorn", self.build(text))
        self.assertEqual(got, 0)
        self.assertRegex(err, r" Note: 0\.\d\d instructions a cycle: its caches are off.*fetch and load.*bits 2 and 12")
        got, _, err = run("stat", "--machine", "cortex-r4f", "--engine", "unicorn", self.build(on + text))
        self.assertEqual(got, 0)
        self.assertRegex(err, r" Note: 0\.\d\d instructions a cycle: its instruction cache is off.*bit 12")
        got, _, err = run("stat", "--machine", "cortex-r4f", "--engine", "unicorn", "--caches-on", self.build(text))
        self.assertEqual(got, 0)
        self.assertNotIn(" Note: ", err)

    def test_counts_so_far(self):
        got, _, err = run("stat", "--engine", "unicorn", "--max-insns", "100", "-x,", "-e",
                          "INST_RETIRED", self.build("b ."))
        self.assertEqual(got, 124)
        self.assertIn("\n100,instructions,INST_RETIRED,", "\n" + err)

    def test_two_runs_are_the_same(self):
        elf = self.build("mov r1, #0xc0000000\n ldr r0, [r1]")
        self.assertEqual(run("run", elf), run("run", elf))


def elf_header(segments, n_headers=None, kind=2, data=1, machine=40, flags=0x05000000):
    """A program of these (address, file bytes, memory bytes), without code."""
    ident = b"\x7fELF" + bytes([1, data, 1]) + bytes(9)
    order = "<" if data == 1 else ">"
    head = ident + struct.pack(order + "HHIIIIIHHHHHH", kind, machine, 1, 0x8000, 52, 0, flags, 52,
                               32, n_headers if n_headers is not None else len(segments), 40, 0, 0)
    return head + b"".join(struct.pack(order + "IIIIIIII", 1, 0, address, address, file_bytes,
                                       bytes_, 7, 4) for address, file_bytes, bytes_ in segments)


class Files(Folder):
    def refused(self, name, content, status, pattern):
        with self.subTest(name):
            path = self.path("program.elf")
            Path(path).write_bytes(content)
            got, out, err = run("run", path)
            self.assertEqual((got, out), (status, ""), err)
            self.assertRegex(err, pattern)

    def test_each(self):
        good = elf_header([(0x8000, 0, 4096)])
        self.refused("empty", b"", 126, "is not an ELF file")
        self.refused("text", b"#!/bin/sh\n", 126, "is not an ELF file")
        self.refused("cut in the header", good[:40], 126, "truncated: its headers end at byte 52")
        self.refused("cut behind the header", good[:60], 126, "its program headers end at byte 84")
        self.refused("cut segment", elf_header([(0x8000, 4096, 4096)]), 126, "its segments end")
        self.refused("4 GB", elf_header([(0, 0, 0xffffffff)]), 126, "4294967295 bytes; firmware may")
        self.refused("past the end", elf_header([(0xfffff000, 0, 0x2000)]), 126,
                     "past the end of the address space")
        self.refused("smaller than its file", elf_header([(0, 64, 32)]), 126, "loads 64")
        self.refused("nothing to load", elf_header([]), 126, "no segments")
        self.refused("relocatable", elf_header([(0, 0, 16)], kind=1), 126, "of type 1")
        self.refused("big-endian code", elf_header([(0, 0, 16)], data=2), 126, "BE-32")
        self.refused("big-endian, cut", elf_header([(0, 0, 16)], data=2, flags=0x800000)[:60], 126,
                     "its program headers end at byte 84")
        self.refused("big-endian, of another machine", elf_header([(0, 0, 16)], data=2, machine=2),
                     126, "not a program for Arm")
        self.refused("another machine", elf_header([(0, 0, 16)], machine=62), 126,
                     "not a program for Arm")
        self.refused("the devices' place", elf_header([(0xff000000, 0, 4096)]), 125,
                     "where the devices are")

    def test_big_endian_data_on_a_core_without(self):
        path = self.path("program.elf")
        Path(path).write_bytes(elf_header([(0x8000, 0, 4096)], data=2, flags=0x05800000))
        got, _, err = run("run", "--machine", "pxa255", path)
        self.assertEqual(got, 125, err)
        self.assertRegex(err, r"big-endian data \(BE-8\), which the xscale1 of machine pxa255 does not execute")

    def test_no_command_of_traces_takes_it_for_a_program_for_linux(self):
        """Which would run without its start-up code's caches, handlers and monitor, and count other cycles."""
        path = self.path("program.elf")
        Path(path).write_bytes(elf_header([(0x8000, 0, 4096)]))
        for words in (["record", "--trace", self.path("trace")], ["sweep"], ["whatif"]):
            got, _, err = run(*words, "--", path)
            self.assertEqual(got, 125, err)
            self.assertIn(f"armpmu: {words[0]}: '{path}' looks like firmware, of which there are no traces", err)
        self.assertNotIn("firmware", run("record", "--engine", "qemu", "--trace", self.path("trace"), "--", path)[2])

    def test_every_cut_of_a_program_ends(self):
        whole = Path(self.build("svc #1")).read_bytes()
        path = self.path("cut.elf")
        for n in range(0, len(whole), max(1, len(whole) // 60)):
            Path(path).write_bytes(whole[:n])
            got, _, err = run("run", "--max-insns", "1000", path)
            self.assertIn(got, (123, 124, 126), err)
            self.assertTrue(err.startswith("armpmu: "), err)

    def test_not_there(self):
        self.assertEqual(run("run", self.path("none.elf"))[0], 127)
        self.assertEqual(run("run", self.folder.name)[0], 126)


if __name__ == "__main__":
    unittest.main()
