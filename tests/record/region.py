#!/usr/bin/env python3
"""armpmu stat and record of a region: functions of known numbers of instructions, and what record -g knows.

usage: region.py ARMPMU FOLDER_OF_THE_GUEST_MODULE FOLDER_OF_THE_SOURCES
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU, SOURCES = Path(sys.argv[1]).resolve(), Path(sys.argv[3]).resolve()
OLD_ARM = guest.Target("arm-linux-gnueabi-gcc", guest.QEMU, "pxa255", "gcc-arm-linux-gnueabi")
BUILDS = {
    "Cortex-A8": (guest.ARM, ["-static"]),
    "Cortex-A8, PIE": (guest.ARM, ["-pie", "-fPIE"]),
    "Cortex-R4F": (guest.ARM._replace(machine="cortex-r4f"), ["-static"]),
    "XScale": (OLD_ARM, ["-static"]),
    "Neoverse": (guest.AARCH64, ["-static"]),
}
RETIRED = ("INST_RETIRED", "INSTRUCTION")



def regions(leave):
    """Region -> instructions, as region.S has them; leave: how many it takes to leave a function that calls."""
    return {
        "known": 20 * 3,
        "down": 5 * (4 + leave) + 3 + leave,
        "calls": 2 + 10 * (5 + 2 + 3 + 3) + leave,
        "opens..shuts": 10 * (2 + 3 + 1),
    }


class Region(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_it(self, command, *words):
        return subprocess.run([ARMPMU, command, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)

    def stat(self, *words):
        answer = self.run_it("stat", "-j", "-e", "all", "-o", "counts", *words)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        rows = [json.loads(line) for line in (self.folder / "counts").read_text(encoding="utf-8").splitlines()]
        return {row["event"]: int(float(row["counter-value"])) for row in rows
                if row.get("counter-value", "<")[0] != "<"}

    def record(self, *words):
        answer = self.run_it("record", "-q", "-o", "data", *words)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        return sqlite3.connect(self.folder / "data")

    def retired(self, counts):
        return next(counts[name] for name in RETIRED if name in counts)

    def totals(self, *words):
        """Event of the core -> count."""
        rows = self.record(*words).execute("SELECT name, SUM(n) FROM count JOIN event ON event.id = event"
                                           " WHERE number < 65536 GROUP BY event.id")
        return {name: n for name, n in rows if n != 0}

    def below(self, program, function):
        """Event -> how often it happened in paths that hold the function."""
        paths = """WITH RECURSIVE below(id) AS (
            SELECT path.id FROM path JOIN function ON function.id = path.function WHERE function.name = ?
            UNION SELECT path.id FROM path JOIN below ON path.parent = below.id AND path.id <> 0)"""
        rows = self.record("-g", *program).execute(
            f"{paths} SELECT name, SUM(n) FROM count JOIN event ON event.id = event WHERE path IN below"
            " AND number < 65536 GROUP BY event.id", (function,))
        return {name: n for name, n in rows if n != 0}

    def build(self, name):
        target, options = BUILDS[name]
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        subprocess.run([target.compiler, *(["-marm"] if target is not guest.AARCH64 else []), *options, "-O1", "-g",
                        SOURCES / "region.c", SOURCES / "region.S", "-o", "region", "-pthread"], cwd=self.folder,
                       check=True)
        return [*(["--machine", target.machine] if target.machine else []), "--", "./region"]

    def test_known_functions(self):
        for name in BUILDS:
            with self.subTest(name):
                program = self.build(name)
                for region, insns in regions(2 if name == "Neoverse" else 1).items():
                    self.assertEqual(self.retired(self.stat("--roi", region, *program)), 2 * insns, region)
                    self.check_totals(region, insns, [*program, "one thread"])  # which never waits: always the same

    def check_totals(self, region, insns, program):
        counts = self.stat("--roi", region, *program)
        self.assertEqual(self.retired(counts), insns, region)
        counts = {event: n for event, n in counts.items() if n != 0}
        for options in ([], ["-g"]):
            self.same(self.totals(*options, "--roi", region, *program), counts, region)
        if region == "calls":  # without jumps in place of calls a region is what lies below its function
            self.same(self.below(program, "calls"), counts, region)

    def same(self, profile, counts, region):
        """Of a clock that ticks every few cycles, the tick of a region's first cycles may be either side's."""
        self.assertLessEqual(abs(profile.get("CNT_CYCLES", 0) - counts.get("CNT_CYCLES", 0)), 1, region)
        self.assertEqual({**profile, "CNT_CYCLES": 0}, {**counts, "CNT_CYCLES": 0}, region)

    # Of each region the branch at its end is a part, as mark.h says.
    MARKED = {"mark:twice": 11 * 101, "mark:once": 51}

    def mark(self, compiler, *options):
        subprocess.run([compiler, *options, "-O2", "-Wall", "-Wextra", "-Werror", "-I", SOURCES / "../../include",
                        SOURCES / "marks.c", "-o", "marks"], cwd=self.folder, check=True)

    def test_marks(self):
        for name, (target, options) in BUILDS.items():
            code = [["-marm"], ["-mthumb"]] if target is guest.ARM else [[]]
            if guest.missing_tools(target=target):
                continue
            for more in code:
                with self.subTest(name, code=more):
                    self.mark(target.compiler, "-DARMPMU_MARK", "-pedantic", *options, *more)
                    program = [*(["--machine", target.machine] if target.machine else []), "--", "./marks"]
                    for region, insns in self.MARKED.items():
                        self.assertEqual(self.retired(self.stat("--roi", region, *program)), insns, region)
                    self.assertEqual(self.retired(self.totals("--roi", "mark:once", *program)), 51)

    def by_region(self, *words):
        """Region -> event -> count, of one run."""
        answer = self.run_it("stat", "--regions", "-j", "-e", "all", "-o", "counts", *words)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        counts = {}
        for line in (self.folder / "counts").read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row.get("counter-value", "<")[0] != "<":
                counts.setdefault(row["region"], {})[row["event"]] = int(row["counter-value"])
        return counts

    def test_all_marks_in_one_run(self):
        """Each is what --roi counts alone, where one is in another, too."""
        (self.folder / "more.c").write_text("""
            #include <armpmu/mark.h>
            volatile unsigned v[64];
            __attribute__((noinline)) static void part(void)
            {
                ARMPMU_REGION_BEGIN(part);
                for (unsigned i = 0; i < 64; i++) v[i] += i;
                ARMPMU_REGION_END(part);
            }
            int main(void)
            {
                part();
                ARMPMU_REGION_BEGIN(all);
                for (unsigned i = 0; i < 3; i++) part();
                ARMPMU_REGION_BEGIN(late);
                v[1]++;
                ARMPMU_REGION_END(all);
                v[2]++;
                ARMPMU_REGION_END(late);
                return 0;
            }""")
        for target in (guest.ARM, guest.AARCH64):
            if guest.missing_tools(target=target):
                continue
            subprocess.run([target.compiler, "-O1", "-static", "-DARMPMU_MARK", "-I", SOURCES / "../../include", "more.c",
                            "-o", "more"], cwd=self.folder, check=True)
            program = [*(["--machine", target.machine] if target.machine else []), "--", "./more"]
            counts = self.by_region(*program)
            self.assertEqual(set(counts), {"part", "all", "late"})
            for region, found in counts.items():
                self.same(found, self.stat("--roi", f"mark:{region}", *program), region)
            self.assertEqual(self.retired(counts["part"]) % 4, 0)
            self.baseline(program, counts)

    def baseline(self, program, counts):
        """One file is the baseline of all regions; limits name them."""
        self.assertIn("\n Region 'part':\n", self.run_it("stat", "--regions", "-e", "cycles", *program).stderr)
        self.assertEqual(self.run_it("stat", "--regions", "--json=1", "-e", "cycles,instructions", "-o", "base", *program).returncode, 0)
        base = json.loads((self.folder / "base").read_text())
        self.assertEqual({s["region"]: s["events"][1]["count"] for s in base["sections"]}, {r: self.retired(c) for r, c in counts.items()})
        next(s for s in base["sections"] if s["region"] == "part")["events"][1]["count"] -= 10
        (self.folder / "less").write_text(json.dumps(base))
        rows = [json.loads(line) for line in self.run_it("diff", "-j", "less", "base").stdout.splitlines()]
        rose = next(row for row in rows if row["kind"] == "event")
        self.assertEqual((rose["name"], rose["change"]), ("part/" + next(n for n in RETIRED if n in counts["part"]), 10))
        self.assertEqual([row["name"] for row in rows if row["kind"] == "metric"], ["part/ipc"])
        for limit, status in (("all/instructions=0", 0), ("part/instructions=0", 3), ("part/ipc=0", 3), ("none/cycles=1", 125)):
            done = self.run_it("stat", "--regions", "--baseline", "less", "--fail-above", limit, *program)
            self.assertEqual(done.returncode, status, done.stderr)

    def test_marks_that_are_not_there(self):
        self.mark(guest.ARM.compiler, "-static")
        answer = self.run_it("stat", "--roi", "mark:once", "--", "./marks")
        self.assertEqual((answer.returncode, answer.stderr), (
            125, "armpmu: --roi: no mark 'once' in './marks', nor in what it loaded: build it with -DARMPMU_MARK, and do "
                 "not strip it\n"))
        self.assertEqual(self.run_it("stat", "--roi", "mark:", "--", "./marks").returncode, 125)
        for words, message in (([], "--regions: no mark in './marks'"), (["--roi", "main"], "leave --roi out"), (["-r", "2"], "leave out -r")):
            done = self.run_it("stat", "--regions", *words, "--", "./marks")
            self.assertEqual(done.returncode, 125)
            self.assertIn(message, done.stderr)

    def test_marks_in_firmware(self):
        for code in ("-marm", "-mthumb"):
            self.mark(guest.ARM.compiler, "-DARMPMU_MARK", "-DBARE", code, "-nostdlib", "-static", "-ffreestanding",
                      "-Wl,-Ttext=0x10000,-estart,--build-id=none")
            for machine in ("cortex-a8", "cortex-r4f"):
                for region, insns in self.MARKED.items():
                    with self.subTest(machine + " " + region + code):
                        found = self.by_region("--engine", "unicorn", "--machine", machine, "--", "./marks")
                        self.assertEqual(insns, self.retired(found[region.removeprefix("mark:")]))
                        self.assertEqual(insns, self.retired(self.stat(
                            "--roi", region, "--engine", "unicorn", "--machine", machine, "--", "./marks")))

    def test_a_delay(self):
        for name in ("Cortex-A8", "Cortex-R4F", "XScale", "Neoverse"):
            with self.subTest(name):
                program = [*self.build(name), "one thread"]
                late = self.retired(self.stat(*program)) - 5000
                counts = self.stat("-D", "5000i", *program)
                self.assertTrue(late - 64 < self.retired(counts) <= late)  # from the next block on
                self.assertEqual({event: n for event, n in counts.items() if n != 0},
                                 self.totals("-D", "5000i", *program))

    def test_firmware(self):
        compiler = guest.ARM.compiler
        if guest.missing_tools(target=guest.ARM):
            self.skipTest(guest.missing_tools(target=guest.ARM))
        subprocess.run([compiler, "-marm", "-DBARE", "-nostdlib", "-static", "-Wl,-Ttext=0x10000,-estart,--build-id=none",
                        SOURCES / "region.S", "-o", "bare"], cwd=self.folder, check=True)
        for machine in ("cortex-a8", "cortex-r4f", "pxa255"):
            for region, insns in regions(1).items():
                with self.subTest(machine + " " + region):
                    words = ["--roi", region, "--engine", "unicorn", "--machine", machine, "--", "./bare"]
                    counts = self.stat(*words)
                    self.assertEqual(self.retired(counts), insns)
                    self.assertEqual({event: n for event, n in counts.items() if n != 0}, self.totals(*words))

    def test_regions_that_are_none(self):
        program = self.build("Cortex-A8")
        cases = [
            (["--roi", "knwn"], "--roi: no function 'knwn' in './region', nor in what it loaded; did you mean known or down?"),
            (["--roi", "known..nowhere"], "--roi: no function 'nowhere' in './region', nor in what it loaded"),
            (["--roi", "abort"], "--roi: the run ended before it, so nothing was counted"),
            (["-D", "1000"], "-D: the run ended before it, so nothing was counted"),
            (["--roi", ".."], "--roi '..': no symbol: a function, or two symbols with '..' between them"),
            (["--roi", "0x12zz"], "--roi '0x12zz': no address"),
            (["--roi", "known", "-D", "1"], "--roi and -D exclude each other; choose one"),
            (["--roi", "known", "--roi", "other"], "--roi 'known' and --roi 'other': a run counts one region; leave one out, and count it in another run"),
            (["--roi", "known", "-I", "1"],
             "-I and --roi exclude each other: intervals cover the whole run; leave one out"),
        ]
        for words, sentence in cases:
            for command in ("stat", "record"):
                with self.subTest(command + " " + " ".join(words)):
                    answer = self.run_it(command, *words, *program)
                    self.assertEqual((answer.returncode, answer.stderr), (125, f"armpmu: {sentence}\n"))
                    self.assertFalse((self.folder / "armpmu.data").exists())


del sys.argv[1:]
unittest.main()
