"""Threads that share a cache: a running program has the numbers of a replay, in `stat`, `record` and `sweep`.

usage: sharing.py ARMPMU PROGRAM

PROGRAM: sharing.c, whose threads execute the same instructions in every run.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = str(Path(sys.argv[1]).resolve())
PROGRAM = str(Path(sys.argv[2]).resolve())
MACHINE = "rk3588-a76"
ON = ("--stable", "--machine", MACHINE)
BOARDS = "raspberrypi3", "raspberrypi4", "jetson-nano", "odroid-m1"  # whose cores share level 2
ROUNDS = 10000
TRANSFER = 60  # cores.transfer_cycles of the machine
LINES = (2 << 20) // 64


def run(*words, **variables):
    return subprocess.run([ARMPMU, *map(str, words)], capture_output=True, text=True, check=False,
                          env={**os.environ, **variables})


class Sharing(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name, "report")
        self.trace = Path(folder.name, "trace")

    def report(self, command, *words):
        """What it prints as JSON."""
        done = run(command, *(() if "--json=1" in words else ("-j",)), "-o", self.file, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.file.read_text(encoding="utf-8")

    def counts(self, how, *options):
        """Of all threads, by event."""
        rows = map(json.loads, self.report("stat", *ON, "-e", "all", *options, "--", PROGRAM, how).splitlines())
        return {row["event"]: int(row["counter-value"]) for row in rows
                if row.get("counter-value", "<")[0] != "<"}

    def record_trace(self, how, machine=MACHINE):
        done = run("record", *ON, "--machine", machine, "--trace", self.trace, "--", PROGRAM, how)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_run_has_the_counts_of_a_replay_every_time(self):
        for how in ("line", "apart", "arrays", "fork", "alone"):
            with self.subTest(how=how):
                self.record_trace(how)
                replayed = self.report("replay", "--machine", MACHINE, "--per-thread", "-e", "all", self.trace)
                for _ in range(3):
                    live = self.report("stat", *ON, "--per-thread", "-e", "all", "--", PROGRAM, how)
                    self.assertEqual(live, replayed)

    def test_so_have_cores_that_share_level_2(self):
        for machine, how in zip(BOARDS, ("line", "arrays", "arrays", "line")):
            with self.subTest(machine=machine):
                self.record_trace(how, machine)
                words = ("--machine", machine, "--per-thread", "-e", "all")
                replayed = self.report("replay", *words, self.trace)
                for _ in range(2):
                    self.assertEqual(self.report("stat", "--stable", *words, "--", PROGRAM, how), replayed)
                    self.assertEqual(self.report("replay", *words, self.trace), replayed)

    def test_processes_share_nothing(self):
        for machine in MACHINE, "raspberrypi4":
            alone = self.counts("twice", "--machine", machine, "--set", "cores.count=1")
            self.assertEqual(self.counts("twice", "--machine", machine), alone)

    def test_accesses_that_another_core_gave_up(self):
        """Their instructions have as many lines of another core as `stat` counts."""
        on = ("--stable", "--machine", "raspberrypi3")
        counts = self.counts("line", "--machine", "raspberrypi3")
        done = run("record", *on, "-q", "--mem", "-e", "cycles,EXT_SNOOP", "-o", self.file, "--", PROGRAM, "line")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [json.loads(line) for line in run("report", "-j", "-i", self.file).stdout.splitlines()]
        self.assertEqual(sum(row["events"]["EXT_SNOOP"]["self"] for row in rows), counts["EXT_SNOOP"])
        by_source = run("report", "--mem", "-s", "mem", "-j", "-i", self.file).stdout
        self.assertIn('"core"', by_source)

    def test_intervals_are_those_of_a_replay(self):
        for how in ("line", "fork"):
            self.record_trace(how)
            words = ("-I20000c", "-e", "cycles,L1D_CACHE_INVAL,INST_RETIRED")
            live = self.report("stat", *ON, *words, "--", PROGRAM, how)
            self.assertEqual(live, self.report("replay", "--machine", MACHINE, *words, self.trace))
            self.assertGreater(len(live.splitlines()), 3 * 5)

    def test_a_profile_adds_up_to_the_counts(self):
        events = ("CPU_CYCLES", "L1D_CACHE_INVAL", "L1D_CACHE_REFILL", "LL_CACHE_MISS_RD")
        counts = self.counts("line")
        done = run("record", *ON, "-q", "-e", ",".join(events), "-o", self.file, "--", PROGRAM, "line")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("report", "-j", "-i", self.file)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        for event in events:
            self.assertEqual(sum(row["events"][event]["self"] for row in rows), counts[event], event)
        self.assertIn("work", {row.get("symbol") for row in rows})

    def test_a_sweep_has_the_counts_of_each_machine(self):
        machines = (MACHINE, "raspberrypi5", "cortex-a76")  # the last shares nothing
        done = run("sweep", "--stable", "--machine", ",".join(machines), "-e", "cycles,L1D_CACHE_INVAL", "-x,",
                   "-o", self.file, "--", PROGRAM, "line")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.file.read_text(encoding="utf-8").splitlines()
        for i, machine in enumerate(machines):
            with self.subTest(machine=machine):
                counts = self.counts("line", "--machine", machine)
                self.assertEqual(rows[i + 1], f"{machine},{counts['CPU_CYCLES']},{counts['L1D_CACHE_INVAL']}")

    def test_false_sharing_costs_cycles_and_shows_in_invalidations(self):
        line, apart = self.counts("line"), self.counts("apart")
        self.assertEqual(apart["L1D_CACHE_INVAL"], 0)
        self.assertGreater(line["L1D_CACHE_INVAL"], ROUNDS / 10)
        self.assertLess(line["L1D_CACHE_INVAL"], 2 * ROUNDS)
        # Who loses a line fetches it, and claims it to store to it: two transfers.
        self.assertGreater(line["CPU_CYCLES"], apart["CPU_CYCLES"] + 2 * TRANSFER * line["L1D_CACHE_INVAL"])
        alone = self.counts("line", "--set", "cores.count=1")
        self.assertEqual(alone["L1D_CACHE_INVAL"], 0)
        self.assertLess(abs(alone["CPU_CYCLES"] / apart["CPU_CYCLES"] - 1), 0.05)

    def test_two_arrays_of_2_mb_do_not_fit_3_mb(self):
        """Where all fit, each line misses once in four rounds. Level 3 also holds what the levels 2 hold: if it did not,
        it and two levels 2 of 512 KB would hold all 4 MB. Pages lie side by side, so that none collide where all fit."""
        side_by_side = ("--set", "memory.page_map=identity")
        missed = (*side_by_side, "--set", "llc.holds=missed")
        shared, alone = self.counts("arrays", *missed), self.counts("arrays", *missed, "--set", "cores.count=1")
        self.assertLess(self.counts("arrays", *side_by_side)["LL_CACHE_MISS_RD"], shared["LL_CACHE_MISS_RD"])
        self.assertLess(alone["LL_CACHE_MISS_RD"], 1.2 * 2 * LINES)
        self.assertGreater(shared["LL_CACHE_MISS_RD"], 2 * 2 * LINES)
        self.assertLess(shared["LL_CACHE_MISS_RD"], 4.2 * 2 * LINES)

    def test_the_report_says_what_is_shared(self):
        done = run("stat", "--stable", "--machine", "raspberrypi4", "-e", "cycles", "--", PROGRAM, "line")
        self.assertIn(" 4 cores share level 2 and its way to memory:", done.stderr)
        words = ("--stable", "--machine", "raspberrypi4", "--json=1", "-e", "cycles")
        document = json.loads(self.report("stat", *words, "--", PROGRAM, "line"))
        self.assertEqual(document["shared"], {"cores": 4, "cache": "level-2", "not": ["fill-buffers"]})
        for how, shares in (("line", True), ("alone", False)):
            done = run("stat", *ON, "-e", "cycles", "--", PROGRAM, how)
            self.assertEqual(" 4 cores share the last-level cache:" in done.stderr, shares, done.stderr)
            document = json.loads(self.report("stat", *ON, "--json=1", "-e", "cycles", "--", PROGRAM, how))
            self.assertEqual(document.get("shared", {}).get("cores"), 4 if shares else None)

    def test_a_folder_without_room_is_named(self):
        done = run("stat", *ON, "-e", "cycles", "--", PROGRAM, "line", TMPDIR="/nonexistent")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot be kept in '/nonexistent': No such file or directory: set TMPDIR", done.stderr)

    def test_a_program_with_one_thread_needs_no_folder(self):
        done = run("stat", *ON, "-e", "cycles", "--", PROGRAM, "alone", TMPDIR="/nonexistent")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
