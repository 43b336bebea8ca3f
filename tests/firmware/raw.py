"""Firmware without an ELF file: the same program as bytes, Intel hex and S-records counts the same, and what is wrong with
a file is said with its line.

usage: raw.py ARMPMU COMPILER
"""
import bz2
import gzip
import json
import lzma
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, COMPILER = str(Path(sys.argv[1]).resolve()), sys.argv[2]
OBJCOPY = Path(COMPILER).name.replace("gcc", "objcopy")
del sys.argv[1:]

PROGRAM = (".syntax unified\n.arm\n.global _start\n.section .rodata\nlimit: .word 5000\n.text\n_start:\n"
           " ldr r0, =limit\n ldr r0, [r0]\n1: subs r0, r0, #1\n bne 1b\n mov r0, #3\n ldr r1, =0xff000804\n"
           " str r0, [r1]\n b .\n.ltorg\n")


class Raw(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "program.S").write_text(PROGRAM, encoding="ascii")
        subprocess.run([COMPILER, "-nostdlib", "-static", "-Wl,-Ttext=0x18000,--section-start=.rodata=0x10000,"
                        "--build-id=none,-n", "program.S", "-o", "program.elf"], cwd=self.folder, check=True)

    def convert(self, form, name, *more):
        subprocess.run([OBJCOPY, "-O", form, *more, "program.elf", name], cwd=self.folder, check=True)

    def run_it(self, *words, command="run"):
        return subprocess.run([ARMPMU, command, *words], cwd=self.folder, capture_output=True, text=True, check=False)

    def counts(self, *words):
        done = self.run_it("-j", "-e", "all", "-o", "counts", *words, command="stat")
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        rows = [json.loads(line) for line in (self.folder / "counts").read_text(encoding="utf-8").splitlines()]
        return {row["event"]: row["counter-value"] for row in rows if "event" in row}

    def test_the_same_counts(self):
        expected = self.counts("--ram", "0x10000:1M", "--engine", "unicorn", "program.elf")
        forms = [("ihex", "a.hex", []), ("srec", "a.srec", ["--srec-forceS3"]), ("srec", "b.srec", [])]
        for form, name, more in forms:
            self.convert(form, name, *more)
            with self.subTest(name):
                self.assertEqual(self.counts("--ram", "0x10000:1M", "--load", "0", name), expected)

    def test_a_binary(self):
        (self.folder / "program.S").write_text(PROGRAM.replace(".section .rodata\nlimit: .word 5000\n", "").replace(
            " ldr r0, =limit\n ldr r0, [r0]\n", " ldr r0, =5000\n"), encoding="ascii")
        subprocess.run([COMPILER, "-nostdlib", "-static", "-Wl,-Ttext=0x18000,--build-id=none,-n", "program.S", "-o",
                        "program.elf"], cwd=self.folder, check=True)
        self.convert("binary", "a.bin")
        expected = self.counts("--engine", "unicorn", "program.elf")
        self.assertEqual(self.counts("--load", "0x18000", "a.bin"), expected)

    def test_records_elsewhere(self):
        """Position-independent but for the address of its data: records moved by 1 MiB read zero there, and stop."""
        self.convert("ihex", "a.hex")
        done = self.run_it("--load", "0x100000", "--max-insns", "10", "a.hex")
        self.assertEqual(done.returncode, 123)
        self.assertIn("Data Abort at 0x00118004 (it reads 0x00010000, where no memory is)", done.stderr)

    def test_stubs_of_the_board(self):
        """A clock that is ready, a status bit that comes and goes, a device page with nothing else in it."""
        (self.folder / "board.ini").write_text(
            "[machine]\nname = board\nbase = cortex-a8\n[stub]\n0x48002000 = 0x10005\n0x48002004 = toggle\n"
            "0x4a000ffc = 3\n", encoding="ascii")
        (self.folder / "program.S").write_text(
            ".syntax unified\n.arm\n.global _start\n_start: ldr r1, =0x48002000\n"
            "1: ldr r2, [r1, #4]\n tst r2, #0x100\n beq 1b\n"  # 0, then ones
            "2: ldr r2, [r1, #4]\n tst r2, #0x100\n bne 2b\n"  # then 0
            " str r2, [r1]\n ldr r0, [r1]\n ldrh r3, [r1, #2]\n add r0, r0, r3\n"  # writes change nothing
            " ldr r3, [r1, #8]\n add r0, r0, r3\n ldr r3, =0x4a000ffc\n ldrb r3, [r3]\n add r0, r0, r3\n"
            " ldr r3, =0x10000\n sub r0, r0, r3\n ldr r1, =0xff000804\n str r0, [r1]\n b .\n.ltorg\n",
            encoding="ascii")
        subprocess.run([COMPILER, "-nostdlib", "-static", "-Wl,-Ttext=0x18000,--build-id=none", "program.S", "-o",
                        "program.elf"], cwd=self.folder, check=True)
        done = self.run_it("--machine", "./board.ini", "program.elf")
        self.assertEqual((done.returncode, done.stderr), (5 + 1 + 3, ""))
        done = self.run_it("-x,", "--no-hot-spot", "-e", "instructions", "--engine", "unicorn", "--machine", "./board.ini",
                           "program.elf", command="stat")
        self.assertIn(f"{1 + 2 * 3 + 3 + 13 + 1},instructions,", done.stderr)  # two turns, one, the rest, the branch
        without = self.run_it("program.elf")
        self.assertEqual(without.returncode, 123)
        self.assertIn("it reads 0x48002004, where no memory is", without.stderr)

    def test_stubs_that_are_none(self):
        for line, message in (
                ("0x48002001 = 1", "[stub] 0x48002001: must be the address of a register, a multiple of 4 below 0x100000000"),
                ("here = 1", "[stub] here: must be the address of a register, a multiple of 4 below 0x100000000"),
                ("0x48002000 = on", "[stub] 0x48002000 = on: must be toggle, or a number below 0x100000000"),
                ("0x48002000 = 1\n0x48002000 = 2", "[stub] 0x48002000 is given twice")):
            (self.folder / "board.ini").write_text(
                f"[machine]\nname = board\nbase = cortex-a8\n[stub]\n{line}\n", encoding="ascii")
            done = self.run_it("--machine", "./board.ini", "program.elf")
            self.assertEqual(done.returncode, 125)
            self.assertIn(message, done.stderr)

    def test_what_editors_put_first(self):
        """A byte-order mark, empty lines: the same program."""
        self.convert("ihex", "a.hex")
        expected = self.counts("--load", "0", "a.hex")
        records = (self.folder / "a.hex").read_bytes()
        for before in (b"\xef\xbb\xbf", b"\r\n", b" \n\n", b"\xef\xbb\xbf\n"):
            (self.folder / "b.hex").write_bytes(before + records)
            with self.subTest(before):
                self.assertEqual(self.counts("--load", "0", "b.hex"), expected)

    def test_other_formats_are_named(self):
        words = "0D 50 01 E3\n"
        convert = "convert it to Intel hex (objcopy -O ihex)"
        for text, message in (
                (b"@00018000\n" + words.encode(), "Verilog hex, which is not read: " + convert),
                (b"\n@8000\r\n" + words.encode(), "Verilog hex, which is not read: " + convert),
                (b"@8000\n" + words.encode() + b"q\n", "TI-TXT, which is not read: " + convert),
                (gzip.compress(b"program"), "compressed by gzip, which is not read: decompress it"),
                (lzma.compress(b"program"), "compressed by xz, which is not read: decompress it"),
                (bz2.compress(b"program"), "compressed by bzip2, which is not read: decompress it"),
                (":0000".encode("utf-16"), "Intel hex in UTF-16, which is not read: save it as ASCII"),
                (b"UF2\nWQ]\x9e", "UF2, for a boot loader over USB, which is not read: name the file it was made from")):
            (self.folder / "other").write_bytes(text)
            for load in ([], ["--load", "0"]):
                with self.subTest(message, load=load):
                    done = self.run_it(*load, "other")
                    self.assertEqual((done.returncode, done.stderr), (126, f"armpmu: 'other' is {message}\n"))

    def test_without_load_it_is_told_how(self):
        self.convert("ihex", "a.hex")
        self.convert("srec", "a.srec")
        for name in ("a.hex", "a.srec"):
            done = self.run_it(name)
            self.assertEqual((done.returncode, done.stderr), (
                126, f"armpmu: '{name}' is not an ELF file but has records with addresses: add --load 0\n"))
        (self.folder / "a.bin").write_bytes(b"\x0d\x50\x01\xe3")
        done = self.run_it("a.bin")
        self.assertEqual((done.returncode, done.stderr), (
            126, "armpmu: 'a.bin' is not an ELF file: add --load ADDRESS if it is a binary for that address, or build "
                 "it for bare metal (arm-none-eabi-gcc, or aarch64-linux-gnu-gcc -nostdlib)\n"))

    def check_bad(self, text, message, *words):
        (self.folder / "bad").write_text(text, encoding="ascii")
        done = self.run_it("--load", "0", *words, "bad")
        self.assertEqual((done.returncode, done.stderr), (126, f"armpmu: 'bad' {message}\n"))

    def test_what_is_wrong_is_said_with_its_line(self):
        good = ":0400000001020304F2\n"
        self.check_bad(good + ":0400040001020304EF\n", "line 2: its checksum is 0xef, not 0xee: make the file again")
        self.check_bad(good, "ends after line 1 without an end record: it is truncated")
        self.check_bad(good + ":0500040001020304EE\n", "line 2: its length says 0x05, not 0x04: make the file again")
        self.check_bad(good + ":04000400010203G4EE\n",
                       "line 2: character 0x47 is not a hexadecimal digit: make the file again")
        self.check_bad(good + "\n" + good, "line 3: address 0x00000000 has a byte already: make the file again")
        self.check_bad(good + ":00000009F7\n", "line 2: its type is 0x09, not 0x00: make the file again")
        self.check_bad(good + "hello\n", "line 2: its first character is 0x68, not 0x3a: make the file again")
        self.check_bad("S1070000010203FFEE\n", "line 1: its checksum is 0xee, not 0xf3: make the file again")
        self.check_bad("S107000001020304EE\nS4030000FC\n", "line 2: its type is 0x04, not 0x01: make the file again")
        self.check_bad(":00000001FF\n", "has no bytes to load")
        self.check_bad("", "has no bytes to load")
        (self.folder / "bad").write_text("\0" * 20, encoding="ascii")
        self.assertIn("'bad' has 20 bytes, which at 0xfffffff0 pass the end, 0x100000000: lower --load",
                      self.run_it("--load", "0xfffffff0", "bad").stderr)

    def test_options(self):
        done = self.run_it("--load", "here", "program.elf")
        self.assertEqual((done.returncode, done.stderr), (
            125, "armpmu: --load 'here': an address below 0x100000000, like 0x8000\n"))
        done = self.run_it("--load", "0", "program.elf")
        self.assertEqual((done.returncode, done.stderr), (
            126, "armpmu: 'program.elf' is an ELF file with fixed addresses: leave --load out\n"))
        self.assertEqual(self.run_it("--load", "0", "absent").returncode, 127)


if __name__ == "__main__":
    unittest.main()
