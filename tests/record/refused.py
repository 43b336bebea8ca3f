#!/usr/bin/env python3
"""Accesses that a register refuses to programs when they execute: each counts as UDF in its place, the profile has no
instruction that never ran, and the message names the access. Faults count by their kind, those of fetches too.

usage: refused.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
AARCH64 = guest.AARCH64._replace(machine="neoverse-n1")

# argv[1] signals by the instruction U, whose handler goes on behind it.
SOURCE = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
static void handler(int number, siginfo_t *info, void *context)
{
    ucontext_t *at = context;
#ifdef __aarch64__
    at->uc_mcontext.pc += 4;
#else
    at->uc_mcontext.arm_pc += 4;
#endif
}
#ifdef __aarch64__
#define R "x1"
#else
#define R "r1"
#endif
__attribute__((noinline)) static void once(void)
{
    __asm__ volatile("mov " R ", #8\\n add " R ", " R ", #0\\n" U "\\n"
                     "add " R ", " R ", #1\\n add " R ", " R ", #1\\n" ::: "r0", "r1", "r2", "memory");
}
int main(int argc, char **argv)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    int n = argc > 1 ? atoi(argv[1]) : 1;
    if (argc > 1 && (sigaction(SIGILL, &action, 0) != 0 || sigaction(SIGSEGV, &action, 0) != 0))
        return 1;
    for (int i = 0; i < n; i++)
        once();
    return 0;
}
"""
A32 = {"udf": ".inst 0xe7f000f0", "refused": ["mrc p15,0,r0,c9,c13,0", "mcr p15,0,r0,c9,c12,0", "mrrc p15,0,r0,r2,c9"],
       "flags": ["-marm"]}
T32 = {"udf": "udf.w #1", "refused": ["mrc p15,0,r0,c9,c13,0"], "flags": ["-mthumb"]}
A64 = {"udf": "udf #0", "refused": ["mrs x0,pmccntr_el0", "msr pmcr_el0,x0", "mrs x0,pmevcntr3_el0", "mrs x0,daif"], "flags": []}
# A turn calls code that cannot be fetched, argv[2] says why; the handler returns from the call. argv[3]: the handler is one
# without siginfo, which jumps back.
FETCH = """
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
static jmp_buf back;
static void plain(int number) { siglongjmp(back, number); }
static void handler(int number, siginfo_t *info, void *context)
{
    ucontext_t *at = context;
#ifdef __aarch64__
    at->uc_mcontext.pc = at->uc_mcontext.regs[30];
#else
    at->uc_mcontext.arm_pc = at->uc_mcontext.arm_lr & ~1u;
    at->uc_mcontext.arm_cpsr = (at->uc_mcontext.arm_cpsr & ~0x20u) | (at->uc_mcontext.arm_lr & 1) << 5;
#endif
}
/* To a page that may not be executed, to a misaligned address in one that may, behind the last instruction of one, and
 * with an instruction across its end. */
static uintptr_t target(const char *kind)
{
    const int is_misaligned = strcmp(kind, "misaligned") == 0;
    char *page = mmap(0, 8192, PROT_READ | PROT_WRITE | (is_misaligned ? PROT_EXEC : 0), MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (is_misaligned)
        return (uintptr_t)page + 2;
    if (strcmp(kind, "page") == 0)
        return (uintptr_t)page;
#ifdef __aarch64__
    static const uint32_t nop = 0xd503201f;
    memcpy(page + 4092, &nop, 4);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
    return (uintptr_t)page + 4092;
#else
    const uint16_t nops[] = {0xbf00, strcmp(kind, "across") == 0 ? 0xf3af : 0xbf00};
    memcpy(page + 4092, nops, 4);
    mprotect(page, 4096, PROT_READ | PROT_EXEC);
    return (uintptr_t)page + 4093;
#endif
}
int main(int argc, char **argv)
{
    struct sigaction action = {0};
    int n = atoi(argv[1]);
    void (*call)(void) = (void (*)(void))target(argv[2]);
    if (argc > 3)
        action.sa_handler = plain, action.sa_flags = SA_NODEFER;
    else
        action.sa_sigaction = handler, action.sa_flags = SA_SIGINFO;
    if (n != 0 && (sigaction(SIGSEGV, &action, 0) != 0 || sigaction(SIGBUS, &action, 0) != 0))
        return 1;
    for (volatile int i = 0; i < n || n == 0; i++)
        if (argc <= 3 || _setjmp(back) == 0)
            call();
    return 0;
}
"""
TURNS = 100


class Refused(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "source.c").write_text(SOURCE, encoding="utf-8")

    def compile(self, target, flags, source):
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        (self.folder / "made.c").write_text(source, encoding="utf-8")
        subprocess.run([target.compiler, "-static", "-O1", "-g", *flags, "made.c", "-o", "program"], cwd=self.folder,
                       check=True)

    def build(self, target, flags, insn):
        source = (self.folder / "source.c").read_text(encoding="utf-8").replace('" U "', f'" "{insn}" "')
        if target is AARCH64:
            source = source.replace('"r0", "r1", "r2"', '"x0", "x1", "x2"')
        self.compile(target, flags, source)

    def armpmu(self, *words):
        return subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120, check=False)

    def a_turn(self, target, events, *arguments):
        """Counts of TURNS further turns."""
        machine = ["--machine", target.machine] if target.machine else []
        counts = []
        for turns in (TURNS, 2 * TURNS):
            done = self.armpmu("stat", "--stable", *machine, "-x,", "-e", events, "--", "./program", f"{turns:04}",
                               *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            counts.append([int(line.split(",")[0]) for line in done.stderr.splitlines() if line[0].isdigit()])
        return [after - before for before, after in zip(*counts)]

    def check_target(self, target, case, events):
        self.build(target, case["flags"], case["udf"])
        udf = self.a_turn(target, events)
        self.assertEqual(udf[1], 2 * TURNS)
        for insn in case["refused"]:
            with self.subTest(insn):
                self.build(target, case["flags"], insn)
                self.assertEqual(self.a_turn(target, events), udf)
                done = self.armpmu("stat", *(["--machine", target.machine] if target.machine else []), "-e", "cycles",
                                   "--", "./program")
                self.assertEqual(done.returncode, 132, done.stderr)
                self.assertRegex(done.stderr, f"SIGILL at 0x[0-9a-f]+: '{insn.split()[0]} .*' is refused to programs")

    def test_a32(self):
        self.check_target(guest.ARM, A32, "instructions,EXC_TAKEN")

    def test_t32(self):
        self.check_target(guest.ARM, T32, "instructions,EXC_TAKEN")

    def test_in_an_it_block(self):
        it, plain = "cmp r0, r0\\n it {0}\\n mrc{0} p15,0,r0,c9,c13,0", "cmp r0, r0\\n nop\\n {}"
        turns = []
        for insn in (it.format("eq"), plain.format("mrc p15,0,r0,c9,c13,0"), it.format("ne"), plain.format("nop.w")):
            self.build(guest.ARM, T32["flags"], insn)
            turns.append(self.a_turn(guest.ARM, "instructions,EXC_TAKEN"))
        self.assertEqual(turns[0], turns[1])
        self.assertEqual(turns[2], turns[3])
        self.assertEqual([turn[1] for turn in turns], [2 * TURNS, 2 * TURNS, 0, 0])

    def test_a64(self):
        self.check_target(AARCH64, A64, "instructions,EXC_TAKEN,EXC_UNDEF,EXC_SVC,EXC_DABORT")

    def test_the_profile_has_what_ran(self):
        self.build(guest.ARM, ["-marm"], A32["refused"][0])
        done = self.armpmu("record", "-e", "instructions", "-o", "data", "--", "./program")
        self.assertEqual(done.returncode, 132, done.stderr)
        with sqlite3.connect(self.folder / "data") as data:
            n = data.execute("SELECT sum(count.n) FROM count JOIN insn ON insn.id = count.insn JOIN function ON function.id ="
                             " insn.function WHERE function.name = 'once'").fetchone()[0]
        self.assertEqual(n, 2)

    def test_faults_count_by_their_kind(self):
        events = "EXC_UNDEF,EXC_DABORT,EXC_SVC"
        for insn, want in (("ldr x0, [x1]", [0, TURNS, TURNS]), ("udf #0", [TURNS, 0, TURNS])):
            self.build(AARCH64, [], insn)
            self.assertEqual(self.a_turn(AARCH64, events), want)

    def check_fetch(self, target, kind, events, want):
        """want: of a turn, with the SVC by which the handler returns."""
        self.assertEqual(self.a_turn(target, events, kind)[1:], [TURNS * n for n in want])
        machine = ["--machine", target.machine] if target.machine else []
        done = self.armpmu("stat", *machine, "-x,", "-e", events, "--", "./program", "0", kind)
        self.assertGreater(done.returncode, 128, done.stderr)
        counts = [int(line.split(",")[0]) for line in done.stderr.splitlines() if line[0].isdigit()]
        self.assertEqual(counts[2:-1], list(want[1:-1])) # of those that only the fault causes

    def test_fetches_that_fault_count_by_their_kind(self):
        self.compile(AARCH64, [], FETCH)
        events = "instructions,EXC_TAKEN,EXC_PABORT,EXC_UNDEF,EXC_DABORT,EXC_SVC"
        for kind, want in (("page", (2, 1, 0, 0, 1)), ("misaligned", (2, 0, 1, 0, 1)), ("behind", (2, 1, 0, 0, 1))):
            with self.subTest(kind):
                self.check_fetch(AARCH64, kind, events, want)

    def test_fetches_of_a32_and_t32_that_fault(self):
        self.compile(guest.ARM, [], FETCH)
        for kind, insns in (("page", 0), ("misaligned", 0), ("behind", 2), ("across", 1)):
            with self.subTest(kind):
                turn = self.a_turn(guest.ARM, "instructions,EXC_TAKEN,EXC_RETURN", kind)
                self.assertEqual(turn[1:], [2 * TURNS, 2 * TURNS])
                if kind == "page":
                    page = turn[0]
                self.assertEqual(turn[0] - page, insns * TURNS)
                turn = self.a_turn(guest.ARM, "instructions,EXC_TAKEN,EXC_RETURN", kind, "plain")
                self.assertEqual(turn[1:], [TURNS, TURNS])

    def test_what_only_a_machine_shows_is_not_counted(self):
        self.build(AARCH64, [], "udf #0")
        machine = ["--machine", AARCH64.machine]
        done = self.armpmu("stat", *machine, "-x,", "-e", "EXC_TAKEN,EXC_IRQ,EXC_TRAP_FIQ", "--", "./program", "1")
        rows = [line.split(",") for line in done.stderr.splitlines()]
        self.assertEqual([row[0] for row in rows[1:3]], ["<not counted>"] * 2, done.stderr)
        self.assertEqual([row[8] for row in rows[:3]], ["exact", "unknown", "unknown"], done.stderr)
        done = self.armpmu("stat", *machine, "-e", "EXC_IRQ", "--", "./program", "1")
        self.assertRegex(done.stderr, "<not counted> +EXC_IRQ +# only a whole machine shows it: 'armpmu guest'")
        done = self.armpmu("record", *machine, "-e", "EXC_*", "--", "./program", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotRegex(self.armpmu("report", "--stdio").stdout, "IRQ|FIQ|TRAP")
        for command in (["record"], ["sweep"]):
            for event in ("EXC_IRQ", "0x86", "EXC_TRAP_*"):
                done = self.armpmu(*command, *machine, "-e", event, "--", "./program", "1")
                self.assertEqual(done.returncode, 125, done.stderr)
                self.assertIn(f"'{event}': only a whole machine shows this event", done.stderr)
        self.assertIn("exact; unknown of a program", self.armpmu("list", "--core", "neoverse-n1", "-v", "EXC_FIQ").stdout)


del sys.argv[1:]
unittest.main()
