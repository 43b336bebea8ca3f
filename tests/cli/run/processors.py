"""What a program sees of the processor that its machine has: identity, hardware capabilities, the length of vectors.

usage: processors.py ARMPMU AARCH64_COMPILER
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, COMPILER = str(Path(sys.argv[1]).resolve()), sys.argv[2]
del sys.argv[1:]

# Machine -> part number of MIDR_EL1; whether there are LSE, SVE, SVE2; the length of vectors, -1 without.
PROCESSORS = {
    "cortex-a53": (0xd03, 0, 0, 0, -1), "cortex-a55": (0xd05, 1, 0, 0, -1),
    "cortex-a57": (0xd07, 0, 0, 0, -1), "cortex-a72": (0xd08, 0, 0, 0, -1), "cortex-a76": (0xd0b, 1, 0, 0, -1),
    "cortex-a78": (0xd0b, 1, 0, 0, -1), "neoverse-n1": (0xd0c, 1, 0, 0, -1), "neoverse-v1": (0xd40, 1, 1, 0, 32),
    "graviton3": (0xd40, 1, 1, 0, 32), "neoverse-n2": (0xd49, 1, 1, 1, 16), "neoverse-v2": (0xd49, 1, 1, 1, 16)}
SEES = r"""
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
int main(void)
{
    const unsigned long caps = getauxval(AT_HWCAP), caps2 = getauxval(AT_HWCAP2);
    unsigned long midr;
    __asm__("mrs %0, midr_el1" : "=r"(midr));
    printf("%lu %lu %lu %lu %d\n", midr >> 4 & 0xfff, caps >> 8 & 1, caps >> 22 & 1, caps2 >> 1 & 1, prctl(51));
    return 0;
}
"""
SETS_LENGTH = "#include <sys/prctl.h>\nint main(void) { return prctl(50, LENGTH) & 0xff; }\n"
ADDS = ".arch armv8.2-a+sve\n.global _start\n_start:\n fadd z0.d, z0.d, z0.d\n mov x0, #7\n mov x8, #94\n svc #0\n"


class Processors(unittest.TestCase):
    def built(self, source, *more, name="program.c"):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        Path(folder.name, name).write_text(source, encoding="ascii")
        program = Path(folder.name, "program")
        subprocess.run([COMPILER, "-static", *more, Path(folder.name, name), "-o", program], check=True)
        return program

    def stat(self, machine, program, *more):
        return subprocess.run([ARMPMU, "stat", "--machine", machine, "-e", "cycles", *more, "--", program],
                              capture_output=True, text=True, check=False)

    def test_each_machine(self):
        program = self.built(SEES)
        for machine, processor in PROCESSORS.items():
            self.assertEqual(self.stat(machine, program).stdout, " ".join(map(str, processor)) + "\n", machine)

    def test_shorter_vectors_are_refused(self):
        program = self.built(SETS_LENGTH, "-DLENGTH=16")
        self.assertEqual(self.stat("neoverse-n2", program).returncode, 16)
        done = self.stat("neoverse-v1", program)
        self.assertEqual(done.returncode, 125)
        self.assertIn("not counted to its end: it makes scalable vectors shorter than the core's (prctl, PR_SVE_SET_VL)",
                      done.stderr)
        self.assertEqual(self.stat("neoverse-v1", self.built(SETS_LENGTH, "-DLENGTH=64")).returncode, 32)

    def test_an_instruction_of_sve_elsewhere(self):
        program = self.built(ADDS, "-nostdlib", name="program.s")
        self.assertEqual(self.stat("neoverse-v1", program).returncode, 7)
        for machine in ("neoverse-n1", "cortex-a53", "cortex-x1"):
            done = self.stat(machine, program)
            self.assertEqual(done.returncode, 132)
            self.assertRegex(done.stderr, r"ended by SIGILL at 0x[0-9a-f]{8}: '(\.inst 0x65c00000 \(SVE\)|fadd z0\.d, z0\.d, z0\.d)' is undefined on the ")

    def test_one_run_for_several_machines(self):
        program = self.built(SEES)
        sweep = [ARMPMU, "sweep", "-e", "instructions", "--machine"]
        done = subprocess.run([*sweep, "neoverse-n1,neoverse-v1,neoverse-n2", "--", program], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.returncode, "3340 1 0 0 -1\n" in done.stdout), (0, True), done.stderr)
        done = subprocess.run([*sweep, "neoverse-v1,neoverse-n1", "--", program], capture_output=True, text=True, check=False)
        self.assertIn("(neoverse-v1 and neoverse-n1): name the one with fewer instructions first", done.stderr)


if __name__ == "__main__":
    unittest.main()
