"""A program that ends by an access to unmapped memory: the message names the instruction, its function and
its line.

usage: fault.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
SOURCE = """
__attribute__((noinline)) int poke(volatile int *p, int n)
{
    int sum = 0;
    if (n > 1)
        sum = *(volatile int *)&n;
    return sum + *p; /* here */
}
int main(int c, char **v)
{
    static int cell;
    (void)v;
    if (c > 2)
        ((void (*)(void))0x50000000)();
    return poke(c > 1 ? &cell : (int *)16, c);
}
"""
LINE = next(n for n, line in enumerate(SOURCE.splitlines(), 1) if "/* here */" in line)


class Fault(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "fault.c").write_text(SOURCE, encoding="utf-8")

    def run_on(self, target, *options, words=(), command="stat"):
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        subprocess.run([target.compiler, "-O1", *options, "fault.c", "-o", "fault"], cwd=self.folder, check=True)
        machine = ["--machine", target.machine] if target.machine else []
        return subprocess.run([ARMPMU, command, *machine, "./fault", *words], cwd=self.folder, text=True, capture_output=True,
                              check=False)

    def test_the_place(self):
        for target in (guest.ARM, guest.AARCH64):
            for options in (["-static", "-g"], ["-static", "-g", "-fno-pic", "-no-pie"], ["-g"]):
                for command in ("stat", "record"):
                    done = self.run_on(target, *options, command=command)
                    self.assertEqual(done.returncode, 128 + 11, done.stderr)
                    self.assertRegex(done.stderr, r"armpmu: './fault' ended by SIGSEGV at 0x[0-9a-f]+ in poke\+0x[0-9a-f]+, "
                                                  rf"fault\.c:{LINE}: 'ldr \w+, \[\w+\]' accesses memory that is not mapped\n")

    def test_without_lines_and_without_names(self):
        self.assertRegex(self.run_on(guest.ARM, "-static").stderr, r" in poke\+0x[0-9a-f]+: 'ldr")
        self.assertRegex(self.run_on(guest.ARM, "-static", "-s").stderr, r" ended by SIGSEGV at 0x[0-9a-f]+.*: 'ldr")

    def test_a_branch_to_nowhere(self):
        done = self.run_on(guest.ARM, "-static", words=["1", "2"])
        self.assertRegex(done.stderr, r"ended by SIGSEGV at 0x\w+ in main\+0x\w+: it branched from there to an address without code")

    def test_nothing_is_said_of_others(self):
        self.assertNotIn("SIGSEGV", self.run_on(guest.ARM, "-static", words=["1"]).stderr)
        (self.folder / "fault.c").write_text("#include <signal.h>\nint main(void) { return raise(SIGSEGV); }", encoding="utf-8")
        done = self.run_on(guest.ARM, "-static")
        self.assertEqual(done.returncode, 128 + 11)
        self.assertNotIn("SIGSEGV at", done.stderr)


del sys.argv[1:]
unittest.main()
