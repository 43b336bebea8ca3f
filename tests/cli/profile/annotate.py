"""armpmu annotate of the sample profile, byte for byte, and of programs that were compiled and recorded.

usage: annotate.py ARMPMU SAMPLE_FILE FOLDER_OF_THE_GUEST_MODULE [--update]

With --update the golden files are written instead; read the difference before you commit it.
"""

import csv
import io
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, sys.argv[3])

import guest  # noqa: E402
from sample_case import ARMPMU, SampleCase, main  # noqa: E402

# Golden file, and the words behind "armpmu annotate". Sources are below the folder src.
GOLDEN = [
    ("hottest", []),
    ("source", ["--source-path", "/opt=src", "--context=1"]),
    ("source-searched", ["prog.cc", "--source-path", "src", "-e", "cycles,BR_MIS_PRED", "--context", "0"]),
    ("function", ["fib", "-e", "instructions"]),
    ("function-without-arguments", ["list::sum", "--percent-limit", "20", "--color=always"]),
    ("no-source", ["memcpy", "-e", "all"]),
    ("json", ["-j", "-e", "cycles,BR_MIS_PRED", "--source-path", "/opt=src"]),
    ("csv", ["-x;", "prog.cc", "--percent-limit=1"]),
    ("metrics", ["list::sum", "-M", "ipc,l1d_mpki", "--source-path", "/opt=src", "--context=1"]),
    ("json-metrics", ["-j", "fib", "-e", "instructions", "-M", "branch_mpki"]),
    ("csv-metrics", ["-x,", "list.h", "-M", "ipc,branch_mpki"]),
    ("help", ["--help"]),
]

REFUSED = [
    ("-i nowhere", "cannot open 'nowhere': No such file or directory; 'armpmu record' writes it"),
    ("fibb", "'fibb': no function or source file of that name was executed; did you mean fib?"),
    ("elsewhere.f90", "'elsewhere.f90': no function or source file of that name was executed; "
                      "'armpmu report' lists functions"),
    ("fib main", "annotate: 'main': one function or source file at a time"),
    ("-e L2_CACHE_MISS", "-e 'L2_CACHE_MISS': not recorded; the profile has CPU_CYCLES, INST_RETIRED, "
                         "L1D_CACHE_REFILL, BR_MIS_PRED"),
    ("-M nothing", "-M: Arm Cortex-A8 has no metric and no group 'nothing'; 'armpmu list metric' shows them"),
    ("--percent-limit x", "--percent-limit 'x': a percentage from 0 to 100, like 0.5"),
    ("-j -x,", "-j and -x are two formats; choose one"),
    ("-x \"", "-x: the separator is empty or has a quote or a line end in it; use one like ','"),
    ("-o nowhere/out", "cannot write nowhere/out: No such file or directory; choose another file with -o"),
]

# Every line of this misses the data cache: a new line of it each time, over 4 MiB.
WALK = """
static volatile unsigned char memory[4 << 20];
__attribute__((noinline)) static void walk(void)
{
    for (unsigned i = 0; i < sizeof memory; i += 64)
        (void)memory[i]; /* misses */
}
__attribute__((noinline)) static int add(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += memory[i % 8];
    return sum;
}
__attribute__((noinline)) static int choose(int a, int b)
{
    return a > b ? a * 3 : b;
}
int main(int argc, char **argv)
{
    (void)argv;
    walk();
    return choose(argc, 7) + add(1000) != 7;
}
"""
# On XScale the exclusive or waits for the word, which misses in 1 MB. On an out-of-order core what comes after a branch that goes either
# way, by bit 31 of a random number, retires late.
WAITS = """
static volatile unsigned memory[1 << 18], sum;
__attribute__((noinline)) static void walk(void)
{
    unsigned at = 1;
    for (unsigned i = 0; i < 5000; i++) {
        at = at * 1664525 + 1013904223;
        unsigned word = memory[at >> 14]; /* load */
        sum = word ^ i; /* waits */
    }
}
__attribute__((noinline)) static void choose(void)
{
    unsigned at = 1;
    for (unsigned i = 0; i < 5000; i++) {
        at = at * 1664525 + 1013904223;
        if (at >> 31) /* branch */
            sum = i; /* comes after */
    }
}
void _start(void)
{
    walk();
    choose();
    EXIT;
}
"""
EXITS = {"pxa270": 'asm volatile("mov r0, #0; mov r7, #1; svc #0")', "neoverse-n1": 'asm volatile("mov x0, #0; mov x8, #93; svc #0")'}
BUILDS = {
    "A32": (guest.ARM, ["-marm"], []),
    "T32": (guest.ARM, ["-mthumb", "-mcpu=cortex-a8"], []),
    "A64": (guest.AARCH64, [], ["--machine", "neoverse-v1"]),
}


class Annotate(SampleCase):
    command = ["annotate"]
    golden_folder = "annotate"
    golden = GOLDEN
    refused = REFUSED

    def setUp(self):
        super().setUp()
        sources = self.folder / "src" / "demo"
        sources.mkdir(parents=True)
        for name, lines in (("prog.cc", 43), ("list.h", 14)):
            text = "".join(f"\tline {number}\t/* of {name} */\n" for number in range(1, lines + 1))
            (sources / name).write_text(text, encoding="utf-8")

    def test_output_is_the_golden_one(self):
        self.check_golden()

    def test_what_is_wrong_is_refused(self):
        self.check_refused()

    def test_lines_and_instructions_add_up(self):
        for what, cycles in (("main", 100), ("fib", 720), ("list::sum(int)", 9520), ("list.h", 9500)):
            shown = self.output(what, "-e", "cycles", "--percent-limit", "0").splitlines()
            lines = [json.loads(line) for line in
                     self.output(what, "-j", "-e", "cycles", "--percent-limit", "0").splitlines()]
            rows = list(csv.DictReader(io.StringIO(self.output(what, "-x,", "-e", "cycles", "--percent-limit", "0"))))
            self.assertEqual(sum(line["events"]["CPU_CYCLES"]["self"] for line in lines), cycles)
            self.assertEqual(sum(insn["events"]["CPU_CYCLES"]["self"] for line in lines for insn in line["insns"]),
                             cycles)
            self.assertEqual(sum(int(row["CPU_CYCLES"]) for row in rows), cycles)
            counts = [(int(line.split()[2].replace(",", "")), ":  " in line) for line in shown[6:]
                      if re.match(r" *[\d.]+ % ", line)]
            self.assertEqual(sum(n for n, is_insn in counts if is_insn), cycles, what)
            self.assertEqual(sum(n for n, is_insn in counts if not is_insn), cycles, what)

    def test_names_and_sources_cannot_command_a_terminal(self):
        (self.folder / "src" / "demo" / "list.h").write_text("\033[2J\x07\n" * 14, encoding="utf-8")
        self.change("UPDATE function SET name = char(27) || '[2Jfib' WHERE id = 3;"
                    "UPDATE inline SET name = char(27) || 'c'; UPDATE event SET name = 'A' || char(7) WHERE id = 0")
        for words in ((), ("--source-path=src",)):
            self.assertEqual([], [c for c in self.output(*words) if ord(c) < 32 and c != "\n"])

    def test_a_source_that_is_no_file_is_not_read(self):
        source = self.folder / "src" / "demo" / "list.h"
        source.unlink()
        os.mkfifo(source)
        self.assertIn("only instructions are shown", self.output("--source-path", "/opt=src"))

    def test_nothing_above_the_limit_is_said(self):
        self.assertIn("\n each line has less than 50 % of these events: --percent-limit\n",
                      self.output("fib", "--percent-limit", "50"))

    def test_an_empty_profile_is_one_line(self):
        self.change("DELETE FROM counts; DELETE FROM tally; DELETE FROM interval; UPDATE total SET n = 0")
        answer = self.run_it()
        self.assertEqual((125, "armpmu: the profile has no counts in any function\n"),
                         (answer.returncode, answer.stderr))

    def test_events_that_armpmu_chose_fit_the_terminal(self):
        self.assertIn("too wide for the terminal: BR_MIS_PRED", self.on_terminal("--no-pager", columns=80))
        self.assertNotIn("too wide", self.on_terminal("--no-pager", columns=120))
        self.assertNotIn("too wide", self.on_terminal("--no-pager", "-e", "all", columns=40))
        for columns in (50, 80):
            shown = self.on_terminal("--no-pager", "-e", "cycles", "--source-path", "/opt=src", columns=columns,
                                     NO_COLOR="1").splitlines()[1:]
            self.assertEqual([], [line for line in shown if len(line) > columns])
        self.assertIn("\033[31m 89.37 %", self.on_terminal("--no-pager", columns=120))

    def record(self, build):
        compiler, options, machine = BUILDS[build]
        (self.folder / "walk.c").write_text(WALK, encoding="utf-8")
        subprocess.run([compiler.compiler, *options, "-O1", "-g", "-static", "walk.c", "-o", "walk"], cwd=self.folder,
                       check=True)
        subprocess.run([ARMPMU, "record", "-q", *machine, "-o", "walk.data", "--", "./walk"], cwd=self.folder,
                       stdout=subprocess.DEVNULL, check=True)

    def assert_ratio_of_loads(self, percent):
        """By the counts of the file: misses of the instruction to its loads."""
        insns = [json.loads(line) for line in subprocess.run(
            [ARMPMU, "report", "-i", "walk.data", "-j", "-s", "insn", "-e", "L1D_CACHE_REFILL,LD_RETIRED"],
            cwd=self.folder, stdout=subprocess.PIPE, check=True).stdout.splitlines()]
        events = [insn["events"] for insn in insns if insn.get("insn", "").startswith("ldrb")][0]
        self.assertAlmostEqual(100 * events["L1D_CACHE_REFILL"]["self"] / events["LD_RETIRED"]["self"], percent, 1)

    def test_a_program_that_was_recorded(self):
        for build, (compiler, _, _) in BUILDS.items():
            with self.subTest(build):
                missing = guest.missing_tools(target=compiler)
                if missing:
                    self.skipTest(missing)
                self.record(build)
                shown = self.output("-i", "walk.data", "walk")
                misses = [line for line in shown.splitlines() if "/* misses */" in line]
                self.assertEqual(len(misses), 1)
                self.assertRegex(shown, r"[0-9a-f]:  ldrb ")
                whole = self.output("-i", "walk.data", "walk.c", "--percent-limit", "0")
                self.assertIn("a > b", whole)
                if build == "T32":
                    self.assertRegex(whole, r":  ite? +(le|gt)(.*\n)+?.*:  (\w+(le|gt)) ")
                if build != "A64":
                    reason = shown.split("/* misses */\n")[1].splitlines()[0]
                    percent = re.search(r"\^ L1D_CACHE_REFILL: ([\d.]+) % of L1D accesses", shown)
                    self.assertGreater(float(percent[1]), 90, reason)
                    load = re.search(r"([\d,]+) +[0-9a-f]+:  ldrb .*\n +\^ ([\d.]+) % of these loads miss L1D\n",
                                     self.output("-i", "walk.data", "-e", "L1D_CACHE_REFILL", "walk"))
                    self.assert_ratio_of_loads(float(load[2]))
                else:
                    self.assertRegex(shown, r":  ldrb .*\n +\^ \d+\.\d % of these (loads|accesses) miss L1D\n")
                # It hits and is predicted: loads and branches by themselves cost nothing, however many there are.
                self.assertNotRegex(self.output("-i", "walk.data", "add"), r"\b(L1D_CACHE|(LD|ST)_RETIRED|BR_PRED|BR_RETIRED)\b")
                (self.folder / "walk.c").unlink()
                self.assertIn("walk.c: No such file or directory; only instructions are shown",
                              self.output("-i", "walk.data", "walk"))

    def waits_for(self, function, machine, *options):
        """The source line that waits -> what it waits for, as JSON has it."""
        compiler = (guest.ARM if machine == "pxa270" else guest.AARCH64).compiler
        source = self.folder / "waits.c"
        source.write_text(WAITS.replace("EXIT", EXITS[machine]), encoding="utf-8")
        subprocess.run([compiler, *options, "-O1", "-g", "-nostdlib", "-static", "-fno-if-conversion", "-fno-if-conversion2", source, "-o",
                        self.folder / "waits"], check=True)
        subprocess.run([ARMPMU, "record", "-q", "--machine", machine, "-o", self.folder / "waits.data", "--", self.folder / "waits"],
                       check=True)
        lines = [json.loads(line) for line in self.output("-i", "waits.data", "-j", function).splitlines()]
        texts = source.read_text(encoding="utf-8").splitlines()
        return {re.sub(r".*/\* | \*/", "", line["source"]): (re.sub(r".*/\* | \*/", "", texts[line["waits-for"]["line"] - 1]),
                                                           line["waits-for"]) for line in lines if "waits-for" in line}

    def test_what_a_line_waits_for(self):
        for target in (guest.ARM, guest.AARCH64):
            if guest.missing_tools(target=target):
                self.skipTest(guest.missing_tools(target=target))
        waits = self.waits_for("walk", "pxa270", "-marm", "-march=armv5te", "-mfloat-abi=soft")
        self.assertEqual([("waits", "load")], [(line, of) for line, (of, _) in waits.items()])
        self.assertEqual((False, "miss L1D"), (waits["waits"][1]["is-branch"], waits["waits"][1]["reasons"][0]["meaning"]))
        self.assertRegex(self.output("-i", "waits.data", "walk"), r"\^ waits for the load of line 8, at [0-9a-f]+: \d\d.\d % of these")
        waits = self.waits_for("choose", "neoverse-n1")
        self.assertEqual("branch", waits["comes after"][0])
        self.assertEqual((True, "are mispredicted"),
                         (waits["comes after"][1]["is-branch"], waits["comes after"][1]["reasons"][0]["meaning"]))
        self.assertRegex(self.output("-i", "waits.data", "choose"), r"\^ comes after the branch of line 17, at [0-9a-f]+: \d\d.\d % of")


if __name__ == "__main__":
    main()
