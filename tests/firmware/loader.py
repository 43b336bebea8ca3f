"""What the loader makes of a firmware's file: where its bytes go, where it starts, and whom it tells what to do.

usage: loader.py ARMPMU COMPILER COMPILER64    the words of compilers for Linux, of Arm and of AArch64
"""
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, COMPILER, COMPILER64 = [str(Path(word).resolve()) for word in sys.argv[1:4]]
del sys.argv[1:]

PROGRAM = (".syntax unified\n.arm\n.global start\n.type start, %function\nstart:\n ldr r0, value\n ldr r1, =0xff000804\n"
           " str r0, [r1]\nb .\n.ltorg\n.data\n.word 1\n.text\nvalue: .word 42\n")
STOPS = PROGRAM.replace(" ldr r1, =0xff000804\n str r0, [r1]\nb .", " udf #0")
LINUX = "int main(void) { return 0; }\n"
FIXED = ["-Wl,-Ttext=0x18000,-estart,--build-id=none", "-no-pie", "-static"]


class Folder(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, text=PROGRAM, words=tuple(FIXED), compiler=COMPILER, name="program.S"):
        (self.folder / name).write_text(text, encoding="ascii")
        bare = [] if text is LINUX else ["-nostdlib"]
        subprocess.run([compiler, *bare, *words, name, "-o", "program.elf"], cwd=self.folder, check=True)

    def patch(self, change):
        """Changes the header and each program header, as lists of numbers."""
        data = bytearray((self.folder / "program.elf").read_bytes())
        at, = struct.unpack_from("<I", data, 28)
        n, = struct.unpack_from("<H", data, 44)
        for i in range(n):
            fields = list(struct.unpack_from("<8I", data, at + 32 * i))
            change(fields)
            struct.pack_into("<8I", data, at + 32 * i, *fields)
        (self.folder / "program.elf").write_bytes(data)

    def patch_header(self, form, offset, value):
        data = bytearray((self.folder / "program.elf").read_bytes())
        struct.pack_into(form, data, offset, value)
        (self.folder / "program.elf").write_bytes(data)

    def run_it(self, *words):
        done = subprocess.run([ARMPMU, "run", *words], cwd=self.folder, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr


class Addresses(Folder):
    def test_without_physical_addresses_the_virtual_ones_count(self):
        self.build()
        expected = self.run_it("program.elf")
        self.assertEqual(expected, (42, ""))

        def clear(fields):
            fields[3] = 0
        self.patch(clear)
        self.assertEqual(self.run_it("program.elf"), expected)

    def test_an_entry_point_that_is_virtual(self):
        """Linked high, loaded low: translation is off, so it starts where it is loaded, with the names it is linked to."""
        self.build(STOPS, ["-Wl,-Ttext=0xc0008000,-Tdata=0xc0010000,-estart,--build-id=none", "-no-pie", "-static"])

        def lower(fields):
            fields[3] -= 0xc0000000 if fields[0] == 1 else 0
        self.patch(lower)
        status, message = self.run_it("program.elf")
        self.assertEqual(status, 123, message)
        self.assertIn("Undefined Instruction at 0x00008004, and there is no vector table", message)
        self.assertIn("PC 0x00008004 start+0x4,", message)

    def test_code_that_is_loaded_beside_its_address_still_starts_there_where_it_is_both(self):
        """The entry point is memory of the file: it stays, whatever another segment's virtual addresses are."""
        self.build()

        def swap(fields):
            if fields[0] == 1 and fields[2] != 0x18000 and not fields[6] & 1:
                fields[2] = 0x18000
        self.patch(swap)
        self.assertEqual(self.run_it("program.elf"), (42, ""))


class Anywhere(Folder):
    def test_at_its_own_addresses(self):
        self.build()
        self.patch_header("<H", 16, 3)
        self.assertEqual(self.run_it("program.elf"), (42, ""))

    def test_elsewhere(self):
        self.build(STOPS, ["-Wl,-pie,-estart,--build-id=none,--no-dynamic-linker"])
        status, message = self.run_it("--load", "0x200000", "program.elf")
        self.assertEqual(status, 123, message)
        place, = re.findall("PC 0x0020([0-9a-f]{4}) start\\+0x4,", message)
        status, message = self.run_it("--load", "0x80000000", "program.elf")
        self.assertIn(f"PC 0x8000{place} start+0x4,", message)

    def test_elsewhere_by_whole_pages(self):
        self.build(STOPS, ["-Wl,-pie,-estart,--build-id=none,--no-dynamic-linker"])
        self.assertEqual(self.run_it("--load", "0x200004", "program.elf"), (
            126, "armpmu: --load 0x200004 does not move 'program.elf' by whole pages of 0x1000 bytes: its lowest byte is "
                 "linked to 0x0, so choose 0x200000\n"))

    def test_fixed_addresses_cannot_be_moved(self):
        self.build()
        self.assertEqual(self.run_it("--load", "0x200000", "program.elf"), (
            126, "armpmu: 'program.elf' is an ELF file with fixed addresses: leave --load out\n"))


class Linux(Folder):
    def check(self, words, sign, compiler=COMPILER):
        self.build(LINUX, words, compiler, "program.c")
        self.assertEqual(self.run_it("program.elf"), (
            126, f"armpmu: 'program.elf' is a program for Linux ({sign}), which the bare core lacks: 'armpmu stat program.elf' "
                 "counts it\n"))

    def test_programs_for_linux_are_told_stat(self):
        self.check(["-pie"], "it asks for a dynamic loader")
        self.check(["-no-pie"], "it asks for a dynamic loader")
        self.check(["-static"], "its C library's note says so")
        self.check(["-static"], "its C library's note says so", COMPILER64)


class Start(Folder):
    def test_a_return_from_the_entry_function_ends_the_program(self):
        """As `main` of a program that is linked without start-up code."""
        for status in (0, 7):
            for words in ([], ["-mthumb"]):
                self.build(f"int main(void) {{ return {status}; }}", ["-O1", "-Wl,-Ttext=0x8000,-emain,--build-id=none",
                                                                      "-no-pie", "-static", *words], name="program.c")
                self.assertEqual(self.run_it("program.elf"), (
                    status, f"armpmu: program.elf: returned from its entry function: status {status}, the low byte of r0 "
                            f"0x{status:x}\n"))

    def test_its_instructions_are_all_counted(self):
        self.build(".syntax unified\n.arm\n.global start\nstart: nop\n nop\n ldr r0, =0x101\n bx lr\n")
        done = subprocess.run([ARMPMU, "stat", "--no-hot-spot", "--engine", "unicorn", "-x,", "-e", "instructions", "program.elf"],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("\n4,instructions,", "\n" + done.stderr)

    def test_it_returns_on_aarch64(self):
        self.build("int main(void) { return 9; }", ["-O1", "-Wl,-Ttext=0x40008000,-emain,--build-id=none", "-static"],
                   COMPILER64, "program.c")
        self.assertEqual(self.run_it("--machine", "neoverse-n1", "program.elf"), (
            9, "armpmu: program.elf: returned from its entry function: status 9, the low byte of x0 0x9\n"))

    HIGH = (".syntax unified\n.arm\n.global start\nstart: b 1f\n b .\n b 2f\n b .\n b .\n1: svc #0\n mov r0, #1\n b 3f\n"
            "2: mov r0, #5\n3: ldr r1, =0xff000804\n str r0, [r1]\n b .\n.ltorg\n")

    def test_vectors_may_be_high_after_reset(self):
        words = ["-Wl,-Ttext=0xffff0000,-estart,--build-id=none", "-no-pie", "-static"]
        for machine in ("cortex-r4f", "cortex-a8"):
            self.build(self.HIGH, words)
            self.assertEqual(self.run_it("--machine", machine, "--pin", "VINITHI=1", "program.elf"), (5, ""))
            status, message = self.run_it("--machine", machine, "--pin", "VINITHI=0", "program.elf")
            self.assertEqual(status, 123)
            # The last 256 MiB of the R4F's default memory map execute only with high vectors.
            self.assertIn({"cortex-r4f": "Prefetch Abort at 0xffff0000", "cortex-a8": "Supervisor Call at 0xffff0014"}[machine],
                          message)

    def test_a_pin_that_the_core_does_not_have(self):
        self.build(words=[*FIXED, "-march=armv5te", "-mfloat-abi=soft"])
        self.assertEqual(self.run_it("--machine", "pxa255", "--pin", "VINITHI=1", "program.elf"), (
            125, "armpmu: --pin 'VINITHI=1': the xscale1 has no such pin\n"))
        self.assertEqual(self.run_it("--pin", "VINITHI=2", "program.elf"), (
            125, "armpmu: --pin 'VINITHI=2': must be 1, for vectors at 0xffff0000 after reset, or 0\n"))


class Cores(Folder):
    def test_another_core_is_told_which_machine(self):
        self.build(".global start\nstart: b .\n", compiler=COMPILER64)
        status, message = self.run_it("--machine", "cortex-a8", "program.elf")
        self.assertEqual((status, message), (
            125, "armpmu: 'program.elf' is a program for 64-bit Arm, which the cortex-a8 of machine cortex-a8 does not "
                 "execute: choose --machine neoverse-n1 or neoverse-v1 or neoverse-n2 or neoverse-v2 or cortex-a72 or cortex-a57 or cortex-a76 or cortex-a77 or cortex-a78 or cortex-x1 or cortex-a53 or cortex-a55 or amuv1\n"))
        self.build()
        status, message = self.run_it("--machine", "neoverse-n1", "program.elf")
        self.assertEqual((status, message), (
            125, "armpmu: 'program.elf' is a program for 32-bit Arm, which the neoverse-n1 of machine neoverse-n1 does not "
                 "execute: choose --machine cortex-a8 or cortex-r4f or xscale-80200 or pxa270\n"))
        self.build(words=[*FIXED, "-mbig-endian", "-Wl,--be8"])
        status, message = self.run_it("--machine", "pxa255", "program.elf")
        self.assertEqual((status, message), (
            125, "armpmu: 'program.elf' is a program for big-endian data (BE-8), which the xscale1 of machine pxa255 does not "
                 "execute: choose --machine cortex-a8 or cortex-r4f\n"))

    def test_profile_m_is_refused(self):
        for core in ("cortex-m4", "cortex-m0", "cortex-m33"):
            self.build(".syntax unified\n.thumb\n.global start\nstart: b .\n", [*FIXED, "-mcpu=" + core, "-mfloat-abi=soft"])
            for machine in ("cortex-a8", "cortex-r4f", "pxa255"):
                with self.subTest(core, machine=machine):
                    self.assertEqual(self.run_it("--machine", machine, "program.elf"), (
                        126, "armpmu: 'program.elf' is built for a microcontroller (Tag_CPU_arch_profile says M), whose "
                             "exceptions and registers no core here has: build it with -march=armv7-a, armv7-r or armv5te\n"))


if __name__ == "__main__":
    unittest.main()
