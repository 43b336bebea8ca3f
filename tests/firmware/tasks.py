"""Tasks of firmware that switches between stacks: each has paths of its own, by its name, with calls of known number.

usage: tasks.py ARMPMU ARM_COMPILER AARCH64_COMPILER SOURCE...
"""

import json
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, (ARM, AARCH64, *SOURCES) = Path(sys.argv[1]).resolve(), sys.argv[2:]

WORDS = ["-nostdlib", "-static", "-O1", "-ffreestanding", "-fno-pic", "-no-pie", "-fomit-frame-pointer",
         "-Wl,--build-id=none,-estart"]
A32 = ["-marm", "-Wl,-Ttext=0x8000,--section-start=.vectors=0"]
# How the tasks switch -> machine, compiler and its words.
PORTS = {
    "SRS": ("cortex-r4f", [ARM, "-mcpu=cortex-r4f", "-mfloat-abi=soft", *A32]),
    "LDM": ("pxa255", [ARM, "-march=armv5te", "-mfloat-abi=soft", *A32]),
    "CALL": ("cortex-a8", [ARM, "-mcpu=cortex-a8", "-mfloat-abi=soft", *A32]),
    "ERET": ("neoverse-n1", [AARCH64, "-Wl,-Ttext=0x80000"]),
}
ROUNDS = 10
# Path in a task -> calls.
CALLS = {
    "task_one": {"twice": ROUNDS, "twice leaf": 2 * ROUNDS, "twice yield": ROUNDS, "end": 1},
    "task_two": {"twice": ROUNDS, "twice leaf": 2 * ROUNDS, "twice yield": ROUNDS, "leaf": ROUNDS, "end": 1},
}
LOOPS = {"task_one": 2 * ROUNDS * 3, "task_two": 2 * ROUNDS * 50 + ROUNDS * 7}
EVENTS = "cycles,instructions,branches,branch-misses"


class Tasks(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def armpmu(self, *words):
        done = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def record(self, switch, *options):
        machine, words = PORTS[switch]
        subprocess.run([*words, *WORDS, f"-DSWITCH_{switch}", *SOURCES, "-o", "tasks.elf"], cwd=self.folder, check=True)
        self.armpmu("record", "-q", "--engine", "unicorn", "--machine", machine, *options, "--", "./tasks.elf")
        return sqlite3.connect(self.folder / "armpmu.data")

    def paths_of(self, db):
        """Task -> path in it as text -> calls; the function that made the outermost call of a path is its task."""
        names, calls = {0: ()}, {}
        rows = db.execute("SELECT path.id, parent, called.name, by.name, calls FROM path LEFT JOIN function called ON"
                          " called.id = path.function LEFT JOIN insn ON insn.id = caller LEFT JOIN function by ON"
                          " by.id = insn.function WHERE path.id > 0 ORDER BY path.id")
        for number, parent, name, caller, n in rows:
            names[number] = (*names[parent], name) if parent else (caller or name, name)
            task, *path = names[number]
            paths = calls.setdefault(task, {})
            paths[" ".join(path)] = paths.get(" ".join(path), 0) + n
        return calls

    def test_each_has_its_paths(self):
        for switch in PORTS:
            with self.subTest(switch):
                db = self.record(switch, "-g")
                calls = self.paths_of(db)
                for task, want in CALLS.items():
                    have = {path: calls[task].get(path) for path in want}
                    self.assertEqual(have, want, task)
                    self.assertNotIn("task_", " ".join(calls[task]), task)

    def test_inclusive_counts(self):
        for switch in PORTS:
            with self.subTest(switch):
                self.record(switch, "-g")
                event = "instructions"
                rows = [json.loads(line) for line in
                        self.armpmu("report", "-j", "-G", "--percent-limit", "0", "-e", event).splitlines()]
                outermost = {row["symbol"]: row for row in rows if not row["path"]}
                self.assertLessEqual({"task_one", "task_two", "start"}, set(outermost))
                for task, loops in LOOPS.items():
                    # A turn of leaf's loop has the same instructions everywhere, and a call has the rest.
                    leaves = sum(next(iter(row["events"].values()))["self"] for row in rows
                                 if row["symbol"] == "leaf" and row["path"][0] == task)
                    n_calls = sum(n for path, n in CALLS[task].items() if path.endswith("leaf"))
                    self.assertEqual((leaves - loops * self.turn(rows)) % n_calls, 0, task)

    def test_stat_counts_the_same(self):
        """Also what is in a store buffer at the end, such as requests of the Cortex-R4F."""
        for switch, (machine, _) in PORTS.items():
            with self.subTest(switch):
                db = self.record(switch, "-e", "all")
                sums = dict(db.execute("SELECT name, sum(n) FROM event JOIN count ON event = id GROUP BY id"))
                counted = self.armpmu("stat", "-j", "-e", "all", "-o", "counts", "--engine", "unicorn", "--machine", machine,
                                      "--", "./tasks.elf") or (self.folder / "counts").read_text()
                rows = [row for row in map(json.loads, counted.splitlines()) if row.get("event") in sums]
                self.assertGreater(len(rows), 5)
                self.assertEqual({row["event"]: int(row["counter-value"]) for row in rows},
                                 {row["event"]: sums[row["event"]] for row in rows})

    def turn(self, rows):
        """Instructions of a turn: both tasks' calls have the same instructions around theirs."""
        sums = {task: sum(next(iter(row["events"].values()))["self"] for row in rows
                          if row["symbol"] == "leaf" and row["path"][0] == task) for task in LOOPS}
        n_calls = {task: sum(n for path, n in CALLS[task].items() if path.endswith("leaf")) for task in LOOPS}
        one, two = LOOPS
        # sums = loops * turn + calls * rest
        turn = ((sums[two] * n_calls[one] - sums[one] * n_calls[two])
                / (LOOPS[two] * n_calls[one] - LOOPS[one] * n_calls[two]))
        self.assertEqual(turn, round(turn))
        self.assertGreaterEqual(turn, 4)
        return round(turn)

    def test_they_are_threads_with_names(self):
        for options in ([], ["-g"]):
            for switch in PORTS:
                with self.subTest(switch, options=options):
                    self.record(switch, *options)
                    rows = [json.loads(line) for line in
                            self.armpmu("report", "-j", "-s", "thread", "-e", "instructions").splitlines()]
                    self.assertEqual({row["name"] for row in rows}, {"tasks.elf", "task_one", "task_two"})

    def test_a_task_is_a_region(self):
        self.record("SRS", "-g", "-e", "instructions")
        whole = [json.loads(line) for line in self.armpmu("report", "-j", "-s", "thread").splitlines()]
        self.record("SRS", "-g", "-e", "instructions", "--roi", "task_two")
        regions = [json.loads(line) for line in self.armpmu("report", "-j", "-s", "thread").splitlines()]
        handlers = self.armpmu("report", "-j", "-s", "symbol")
        self.assertEqual({row["name"] for row in regions}, {"task_two"})
        self.assertIn('"leaf"', handlers)
        self.assertNotIn('"give_up"', handlers)
        events = {row["name"]: row["events"]["INST_RETIRED"]["self"] for row in whole}
        self.assertLess(regions[0]["events"]["INST_RETIRED"]["self"], events["task_two"])

    def test_counts_are_those_without(self):
        for switch, (machine, _) in PORTS.items():
            with self.subTest(switch):
                db = self.record(switch, "-g", "-e", EVENTS)
                totals = [n for n, in db.execute("SELECT n FROM total ORDER BY event")]
                self.armpmu("stat", "--engine", "unicorn", "-x;", "-e", EVENTS, "--machine", machine, "-o", "stat.csv", "--",
                            "./tasks.elf")
                lines = (self.folder / "stat.csv").read_text(encoding="utf-8").splitlines()
                self.assertEqual([int(line.split(";")[0]) for line in lines if line[:1].isdigit()], totals)
                self.assertGreater(min(totals[:2]), 1000)


del sys.argv[1:]
unittest.main()
