"""What armpmu whatif predicts on other cores than whatif_cures.py's, beside the program that has the cure built in.

usage: whatif_cores.py ARMPMU FOLDER_OF_THE_GUEST_MODULE [--table]

--table prints the table of docs/whatif.md.
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
ARMV5 = guest.ARM._replace(compiler="arm-linux-gnueabi-gcc", package="gcc-arm-linux-gnueabi")
MACHINES = {"cortex-a8": guest.ARM, "cortex-r4f": guest.ARM, "pxa270": ARMV5, "cortex-a53": guest.AARCH64, "cortex-a72": guest.AARCH64}

# 64 KB, which no level 1 here holds, or 4 KB; a branch by a random bit, or by the upper half of 32,768 turns; six times a megabyte, or as
# often 64 KB, which level 2 of a Cortex-A8 holds wherever its pages lie (128 KB only where few of them collide); 64 lines in as many pages,
# or side by side. The program is slow in one way and has that one cure, or none. A PLD 16 lines ahead, in pages that the TLB has, or of the
# line before; 64 KB of code, which no level 1 instruction cache here holds, or 4 KB as often; multiplications, or additions; stores all over
# 64 KB, or 4 KB.
SOURCE = """
static volatile unsigned words[1 << 18], sum;
__attribute__((noinline)) static void gather(void)
{
    for (unsigned i = 0, at = 1; i < 20000; i++) {
        at = at * 1664525 + 1013904223;
        sum = words[at >> (CURED == 1 ? 22 : 18)]; /* gather */
    }
}
__attribute__((noinline)) static void choose(void)
{
    for (unsigned i = 0, at = 1, by = CURED == 2 ? 0 : -1; i < 32768; i++) {
        at = at * 1664525 + 1013904223;
        __asm__ volatile("" : "+r"(at), "+r"(by)); /* the compiler does not know */
        if (((at & by) | (i << 17 & ~by)) >> 31) /* choose */
            __asm__ volatile("nop"); /* behind a branch: it has no condition */
    }
}
__attribute__((noinline)) static void sweep(void)
{
    for (unsigned i = 0; i < 98304; i++)
        sum = words[i * 16 & (CURED == 3 ? 16383 : 262143)]; /* sweep */
}
__attribute__((noinline)) static void walk(void)
{
    unsigned step = CURED == 4 ? 16 : 1040;
    __asm__ volatile("" : "+r"(step));
    for (unsigned i = 0; i < 20000; i++)
        sum = words[i % 64 * step]; /* walk */
}
#ifdef __arm__
#define WORK "add r1, r1, r1\\n\\t"
#define WORK8 WORK WORK WORK WORK WORK WORK WORK WORK
__attribute__((noinline)) static void ahead(void)
{
    for (unsigned i = 0; i < 24; i++) /* 96 KB, whose pages the TLB has */
        sum = words[i * 1024 + 16];
    for (volatile unsigned *p = words + 32; p != words + 24 * 1024; p += 16) {
        __asm__ volatile("pld [%0, %1]\\n\\t" WORK8 WORK8 WORK8 WORK8 WORK8 WORK8 :: "r"(p), "i"(CURED == 5 ? 1024 : -64) : "r1");
        sum = *p; /* ahead */
    }
}
#define MOVES(n) __asm__ volatile(".rept " #n "\\n\\tmov r1, r1\\n\\t.endr")
__attribute__((noinline, target("arm"))) static void straight(void)
{
    for (unsigned i = 0; i < (CURED == 6 ? 512 : 32); i++)
        if (CURED == 6)
            MOVES(1024);
        else
            MOVES(16384);
}
#endif
#ifdef __aarch64__
#define CHAIN_OF "%w0, %w1, %w0"
#else
#define CHAIN_OF "%0, %1, %0"
#endif
#if CURED == 7
#define CHAINED "add " CHAIN_OF
#else
#define CHAINED "mul " CHAIN_OF
#endif
__attribute__((noinline)) static void chain(void)
{
    for (unsigned i = 0, at = 1; i < 20000; i++) {
        __asm__ volatile("" : "+r"(at));
        __asm__ volatile(".rept 8\\n\\t" CHAINED "\\n\\t.endr" : "+r"(at) : "r"(3)); /* chain */
    }
}
__attribute__((noinline)) static void scatter(void)
{
    const unsigned mask = CURED == 8 ? 1023 : 16383;
    for (unsigned i = 0; i < 1024; i += 8) /* no store brings in a line */
        sum = words[i];
    for (unsigned i = 0, at = 1; i < 20000; i++) {
        at = at * 1664525 + 1013904223;
        words[at >> 18 & mask] = words[at >> 17 & mask] = words[at >> 16 & mask] = at; /* scatter */
    }
}
int main(void)
{
    SLOW();
    return 0;
}
"""
# The branches of the search are in a header of the library.
SEARCH = """
#include <algorithm>
static unsigned sorted[4096];
int main()
{
    volatile unsigned sum = 0;
    for (unsigned i = 0; i < 4096; i++) sorted[i] = i << 20;
    for (unsigned i = 0, at = 1; i < 5000; i++, at = at * 1664525 + 1013904223)
        sum = sum + *std::lower_bound(sorted, sorted + 4095, at);
}
"""
CXX = "aarch64-linux-gnu-g++"

CASES = {"gather": ("level1", "words"), "choose": ("branch", None), "sweep": ("level2", "words"), "walk": ("tlb", "words"),
         "ahead": ("prefetch", None), "straight": ("code", None), "chain": ("latency", None), "scatter": ("stores", None)}
IN_ORDER = ("cortex-a8", "cortex-r4f", "pxa270")
ON = {"sweep": ("cortex-a8",), "walk": ("cortex-a8", "pxa270"), "ahead": IN_ORDER, "straight": IN_ORDER, "scatter": (*IN_ORDER, "cortex-a53")}


def line_of(text):
    return 1 + next(i for i, line in enumerate(SOURCE.splitlines()) if f"/* {text} */" in line)


def cases_of(machine):
    return [case for case in CASES if machine in ON.get(case, MACHINES)]


class Cores(unittest.TestCase):
    def run_armpmu(self, folder, command, machine, *words):
        subprocess.run([ARMPMU, command, "--stable", "--machine", machine, "-j", "-o", "report", *words], cwd=folder, check=True,
                       capture_output=True)
        return [json.loads(line) for line in (folder / "report").read_text(encoding="utf-8").splitlines()]

    def program(self, folder, machine, case, cured):
        (folder / "slow.c").write_text(SOURCE, encoding="utf-8")
        return guest.compile_program(folder / "slow.c", folder / f"{case}{cured}",
                                     ["-static", "-g", "-fno-if-conversion", "-fno-if-conversion2", f"-DSLOW={case}", f"-DCURED={cured}"],
                                     MACHINES[machine])

    def measure(self, machine, case):
        """Cycles: of the slow program, as predicted by place and by data, of the cured one."""
        cure, datum = CASES[case]
        places = {case if cure == "code" else f"slow.c:{line_of(case)}": "line"} | ({datum: "data"} if datum else {})
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            slow, cured = (self.program(folder, machine, case, n) for n in (0, 1 + list(CASES).index(case)))
            counts = [int(row["counter-value"]) for program in (slow, cured)
                      for row in self.run_armpmu(folder, "stat", machine, "-e", "cycles", "--", program) if row.get("event") == "cycles"]
            predicted = []
            for place, by in places.items():
                rows = self.run_armpmu(folder, "whatif", machine, "--by", by, "--places", "8", "--", slow)
                predicted += [row["cycles"] for row in rows if row.get("cure") == cure and row["place"] == place]
            self.assertEqual(len(predicted), len(places), f"{machine} {case}")
        return counts[0], predicted, counts[1]

    def test_predictions_are_what_the_cure_brings(self):
        for machine, target in MACHINES.items():
            if guest.missing_tools(target=target):
                self.skipTest(guest.missing_tools(target=target))
            for case in cases_of(machine):
                with self.subTest(machine=machine, case=case):
                    slow, predicted, cured = self.measure(machine, case)
                    self.assertLess(cured, 0.9 * slow)
                    for cycles in predicted:
                        self.assertLess(abs(cycles - cured), 0.03 * slow)

    def test_the_distance_of_a_prefetch_is_searched(self):
        """A turn takes some 55 cycles. A linefill of the Cortex-R4F takes 23, so that one turn is enough; a miss of level 2 of the Cortex-A8
        some 160, so that two are too few. More turns ahead than enough only leave more first lines out."""
        if guest.missing_tools(target=guest.ARM):
            self.skipTest(guest.missing_tools(target=guest.ARM))
        with tempfile.TemporaryDirectory() as name:
            slow = self.program(Path(name), "cortex-a8", "ahead", 0)
            for machine, best in (("cortex-r4f", "1 turn ahead"), ("cortex-a8", "4 turns ahead")):
                [row] = [row for row in self.run_armpmu(Path(name), "whatif", machine, "--places", "8", "--", slow)
                         if row.get("cure") == "prefetch" and row["place"] == f"slow.c:{line_of('ahead')}"]
                self.assertTrue(row["what-if"].endswith(" were prefetched " + best), row["what-if"])

    def test_code_of_a_header_is_at_the_line_that_it_is_inlined_into(self):
        if shutil.which(CXX) is None or guest.missing_tools(target=guest.AARCH64):
            self.skipTest(f"{CXX} is not installed")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "search.cc").write_text(SEARCH, encoding="utf-8")
            subprocess.run([CXX, "-O2", "-g", "-static", "search.cc", "-o", "search"], cwd=folder, check=True)
            rows = self.run_armpmu(folder, "whatif", "neoverse-n1", "--places", "4", "--", folder / "search")
        places = {row["cure"]: row["place"] for row in reversed(rows) if "cure" in row and ":" in row["place"]}
        self.assertEqual(places["branch"], "search.cc:" + str(1 + next(i for i, line in enumerate(SEARCH.splitlines()) if "lower_bound" in line)))


if __name__ == "__main__":
    if sys.argv[3:] == ["--table"]:
        for core in MACHINES:
            for what in cases_of(core):
                before, rows, after = Cores().measure(core, what)
                print(core, what, CASES[what][0], f"{before:,}", *(f"{100 * (n - before) / before:.1f} %" for n in [*rows, after]))
    else:
        unittest.main(argv=sys.argv[:1])
