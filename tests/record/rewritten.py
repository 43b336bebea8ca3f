"""Code that a program rewrites and makes known: the instruction cache refills its line, once each time, on every core.

usage: rewritten.py ARMPMU MACHINE COMPILER [FLAG]... [, MACHINE COMPILER [FLAG]...]...

A compiler that is not installed is left out, if another one is there.
"""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = Path(sys.argv[1]).resolve()
SOURCE = """
#include <stdlib.h>
#include <sys/mman.h>
int main(int argc, char **argv)
{
    unsigned *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sum = argc;
    for (int i = 0; i < atoi(argv[1]); i++) {
#ifdef __aarch64__
        code[0] = 0x52800000 | (i & 255) << 5; /* mov w0, #i */
        code[1] = 0xd65f03c0;                  /* ret */
#else
        code[0] = 0xe3a00000 | (i & 255); /* mov r0, #i */
        code[1] = 0xe12fff1e;             /* bx lr */
#endif
        if (argc == 2)
            __builtin___clear_cache((char *)code, (char *)(code + 2));
        sum += ((int (*)(void))code)();
    }
    return sum & 1;
}
"""


EVENTS = {"pxa255": "L1I_CACHE_MISS", "pxa270": "L1I_CACHE_MISS"}


def refills(machine, program, *arguments):
    done = subprocess.run([ARMPMU, "stat", "--stable", "-x,", "-e", EVENTS.get(machine, "L1I_CACHE_REFILL"), "--machine", machine,
                           "--", program, *arguments], capture_output=True, text=True, check=False)
    rows = [line.split(",") for line in done.stderr.splitlines() if "MISS" in line or "REFILL" in line]
    assert len(rows) == 1, done.stderr
    return int(rows[0][0])


class Rewritten(unittest.TestCase):
    def test_each_time_its_line_is_refilled(self):
        counted = 0
        for machine, compiler, *flags in TARGETS:
            if not shutil.which(compiler):
                continue
            with self.subTest(machine, flags=flags), tempfile.TemporaryDirectory() as folder:
                source, program = Path(folder, "rewritten.c"), Path(folder, "program")
                source.write_text(SOURCE, encoding="ascii")
                subprocess.run([compiler, "-O1", "-static", *flags, source, "-o", program], check=True)
                self.assertEqual(refills(machine, program, "700") - refills(machine, program, "200"), 500)
                # A program that keeps it to itself has no reason to expect the new code.
                self.assertLess(refills(machine, program, "700", "x") - refills(machine, program, "200", "x"), 10)
            counted += 1
        self.assertGreater(counted, 0)


if __name__ == "__main__":
    words, TARGETS = sys.argv[2:], [[]]
    for word in words:
        if word == ",":
            TARGETS.append([])
        else:
            TARGETS[-1].append(word)
    del sys.argv[1:]
    unittest.main()
