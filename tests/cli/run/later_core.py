"""Programs for a later core than the machine's: told before they run, and by the instruction that ends them.

usage: later_core.py ARMPMU COMPILER COMPILER_FOR_ARMV5
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, ARM, OLD_ARM = str(Path(sys.argv[1]).resolve()), *sys.argv[2:4]
del sys.argv[1:]

START = ".syntax unified\n.text\n.global _start\n_start:\n"
EXIT = " mov r0, #0\n mov r7, #1\n svc #0\n"
DIVIDE = ".arch armv7-a\n.arch_extension idiv\n.arm\n" + START + " mov r0, #6\n mov r1, #2\n sdiv r2, r0, r1\n" + EXIT
MOVW = ".arch armv7-a\n.arm\n" + START + " movw r1, #5\n" + EXIT
# The sum of two words of one register, and of a product: the status.
IWMMXT = ".arch iwmmxt\n.arm\n" + START + (" mov r2, #3\n mov r3, #5\n tmcrr wr0, r2, r3\n tmcrr wr1, r3, r2\n waddw wr2, wr0, wr1\n"
                                          " tmrrc r0, r1, wr2\n mov r7, #1\n svc #0\n")
ACCUMULATE = ".arch xscale\n.arm\n" + START + (" mov r2, #3\n mov r3, #5\n mov r4, #0\n mar acc0, r4, r4\n mia acc0, r2, r3\n"
                                              " miaph acc0, r2, r3\n mra r0, r1, acc0\n mov r7, #1\n svc #0\n")
VFPV4 = ".arch armv7-a\n.fpu vfpv4\n.arm\n" + START + EXIT


class LaterCore(unittest.TestCase):
    def run_on(self, machine, source, command="stat", compiler=ARM, more=()):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "program.S").write_text(source, encoding="ascii")
            subprocess.run([compiler, "-nostdlib", "-static", *more, "program.S", "-o", "program"], cwd=folder, check=True)
            words = ["-n"] if command == "stat" else []
            return subprocess.run([ARMPMU, command, *words, "--machine", machine, "--", "./program"], cwd=folder,
                                  capture_output=True, text=True, check=False)

    def test_an_xscale_has_its_accumulator_and_perhaps_iwmmxt(self):
        for machine in ("pxa255", "pxa270", "ixp425", "xscale-80200"):
            done = self.run_on(machine, ACCUMULATE, compiler=OLD_ARM)
            self.assertEqual((done.returncode, "warning" in done.stderr), (30, False), done.stderr)
        done = self.run_on("pxa270", IWMMXT, compiler=OLD_ARM)
        self.assertEqual((done.returncode, "warning" in done.stderr), (8, False), done.stderr)
        for machine in ("pxa255", "ixp425", "cortex-a8"):
            done = self.run_on(machine, IWMMXT, compiler=OLD_ARM)
            self.assertRegex(done.stderr, "Tag_WMMX_arch says iWMMXt, the .* has none; .* choose --machine pxa270\n")

    def test_a_division(self):
        for command in ("stat", "record"):
            done = self.run_on("cortex-a8", DIVIDE, command)
            self.assertEqual(done.returncode, 132)
            self.assertIn("armpmu: warning: './program' is built for a later core: Tag_DIV_use says SDIV and UDIV, the "
                          "cortex-a8 of machine cortex-a8 has neither in A32; it may end by an undefined instruction: ",
                          done.stderr)
            self.assertRegex(done.stderr, r"armpmu: './program' ended by SIGILL at 0x[0-9a-f]{8}: 'sdiv r2, r0, r1' is "
                                          r"undefined on the cortex-a8 of machine cortex-a8")

    def test_armv7_on_an_xscale(self):
        done = self.run_on("pxa255", MOVW)
        self.assertEqual(done.returncode, 132)
        self.assertIn("Tag_CPU_arch says Armv7, the xscale1 of machine pxa255 has Armv5TE", done.stderr)
        self.assertIn(": choose --machine cortex-a8 or cortex-r4f\n", done.stderr)
        self.assertRegex(done.stderr, r"ended by SIGILL at 0x[0-9a-f]{8}: 'movw r1, #5'")

    def test_an_instruction_that_is_not_reached(self):
        done = self.run_on("cortex-a8", VFPV4)
        self.assertEqual(done.returncode, 0)
        self.assertIn("Tag_FP_arch says VFPv4", done.stderr)
        self.assertNotIn("SIGILL", done.stderr)

    def test_programs_for_the_core_itself(self):
        for machine, source, compiler in (("cortex-a8", MOVW, ARM), ("cortex-r4f", MOVW, ARM),
                                          ("pxa255", ".arch armv5te\n" + START + EXIT, OLD_ARM)):
            done = self.run_on(machine, source, compiler=compiler)
            self.assertEqual(done.returncode, 0)
            self.assertNotIn("warning", done.stderr)

    def test_firmware(self):
        source = MOVW.replace(EXIT, " b .\n")
        done = self.run_on("pxa270", source, command="run", more=["-Wl,--build-id=none", "-Wl,-z,noexecstack"])
        self.assertIn("Tag_CPU_arch says Armv7, the xscale2 of machine pxa270 has Armv5TE", done.stderr)


if __name__ == "__main__":
    unittest.main()
