"""Hostile ELF headers: each is refused with a sentence that says what is wrong, as a program for Linux and as firmware,
before an emulator sees it.

usage: elf.py ARMPMU
"""

import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

LOAD, TLS, NOTE = 1, 7, 4
ARM, AARCH64 = 40, 183


def elf(segments, wide, machine=None, elf_class=None, order=1, version=1, entry=0x10000):
    """An ELF file: segments of (type, offset, address, bytes in the file, bytes in memory)."""
    end, n = "<" if order != 2 else ">", len(segments)
    machine = machine or (AARCH64 if wide else ARM)
    identity = b"\x7fELF" + bytes([elf_class if elf_class is not None else 1 + wide, order, version]) + bytes(9)
    head = struct.pack(end + ("HHIQQQI" if wide else "HHIIIII"), 2, machine, 1, entry, 64 if wide else 52, 0,
                       0 if wide else 0x5000400)
    head += struct.pack(end + "6H", 64 if wide else 52, 56 if wide else 32, n, 64 if wide else 40, 0, 0)
    rows = b"".join(
        struct.pack(end + "IIQQQQQQ", kind, 5, at, address, address, in_file, in_memory, 4096) if wide else
        struct.pack(end + "8I", kind, at, address, address, in_file, in_memory, 5, 4096)
        for kind, at, address, in_file, in_memory in segments)
    return identity + head + rows + bytes(64)


def segment(address=0x10000, in_file=64, in_memory=64, kind=LOAD):
    return kind, 0, address, in_file, in_memory


PAST = "past the end of the address space"

# What is wrong, the file, whether it has 64 bits; what is said of a program, of firmware.
HOSTILE = [
    ("overlapping", elf([segment(), segment(0x10010)], False), False, "segments that overlap, of 0x40 bytes at 0x10000 "
     "and of 0x40 at 0x10010", None),
    ("overlapping", elf([segment(), segment(0x10010)], True), True, "segments that overlap", None),
    ("one twice", elf([segment(), segment()], True), True, "segments that overlap", None),
    ("a size that wraps", elf([segment(in_memory=0xffff0001)], False), False, PAST, None),
    ("a size that wraps", elf([segment(2**64 - 4096, 64, 8192)], True), True, PAST, None),
    ("half of all memory", elf([segment(in_memory=2**63)], True), True, PAST, None),
    ("all of it", elf([segment(in_memory=2**64 - 1)], True), True, PAST, None),
    ("a file size that wraps", elf([segment(in_file=2**64 - 1, in_memory=2**64 - 1)], True), True, "truncated", None),
    ("loads more than it has", elf([segment(in_memory=10)], False), False, "a segment of 10 bytes that loads 64", None),
    ("no program headers", elf([], False), False, "has no segments to load", None),
    ("no program headers", elf([], True), True, "has no segments to load", None),
    ("nothing to load", elf([segment(kind=NOTE)], False), False, "has no segments to load", None),
    ("big-endian", elf([segment()], True, order=2), True, "is a big-endian Arm program", "is big-endian"),
    ("big-endian", elf([segment()], False, order=2), False, "is a big-endian Arm program", "has big-endian code"),
    ("no byte order", elf([segment()], False, order=0), False, "has byte order 0, ELF has 1 and 2", None),
    ("the other class", elf([segment()], False, elf_class=2), False, "of ELF class 2, not 1", "not a program for Arm"),
    ("the other class", elf([segment()], True, elf_class=1), True, "of ELF class 1, not 2", "not a program for Arm"),
    ("no class", elf([segment()], False, elf_class=0), False, "is of ELF class 0, ELF has 1 and 2", None),
    ("no version", elf([segment()], False, version=0), False, "is of ELF version 0, ELF has 1", None),
    ("65535 headers", elf([segment()] * 65535, False), False, "has 65535 segments, at most 256", None),
]


class Elf(unittest.TestCase):
    def say(self, content, wide, *words):
        """What a command says of it. Returns its status and its one line."""
        file = Path(self.folder, "program")
        file.write_bytes(content)
        file.chmod(0o755)
        run = subprocess.run([ARMPMU, *words, "--machine", "neoverse-n2" if wide else "cortex-a8", str(file)],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        self.assertTrue(run.stderr.startswith(f"armpmu: '{file}' "), run.stderr)
        return run.returncode, run.stderr

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_programs(self):
        for name, content, wide, said, _ in HOSTILE:
            with self.subTest(name):
                status, line = self.say(content, wide, "stat", "--engine", "qemu")
                self.assertEqual(status, 126)
                self.assertIn(said, line)

    def test_memory_alone_may_have_an_offset_past_the_end(self):
        """The linker gives .bss one. The program is of zeros, which are undefined."""
        file = Path(self.folder, "program")
        file.write_bytes(elf([segment(), (LOAD, 10**6, 0x20000, 0, 64)], True, entry=0x10000))
        file.chmod(0o755)
        run = subprocess.run([ARMPMU, "stat", "--machine", "neoverse-n2", str(file)], capture_output=True, text=True, check=False)
        self.assertIn("an undefined instruction at 0x00010000", run.stderr)

    def test_firmware(self):
        for name, content, wide, program, said in HOSTILE:
            with self.subTest(name):
                status, line = self.say(content, wide, "run")
                self.assertEqual(status, 126)
                self.assertIn(said or program, line)


if __name__ == "__main__":
    ARMPMU = os.path.abspath(sys.argv.pop(1))
    unittest.main()
