#!/usr/bin/env python3
"""Threads that share a level 3 or a level 2, and lines, from saved traces, against arithmetic.

usage: shared.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

# proves: 0x17 two threads that each need two thirds of a level 2 that they share lose all of it
# proves: 0xC8 each line that two threads write by turns comes from the other's data cache

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
SOURCE = Path(sys.argv[3]).resolve()
NO_PREFETCH = ["--set", "prefetch.lines=0", "--set", "prefetch.l1_lines=0", "--set", "prefetch.store_lines=0"]
MACHINE = ["--machine", "rk3588-a76", *NO_PREFETCH]
EVENTS = {"cycles": 0x11, "refills": 0x03, "l3_misses": 0x37, "invalidated": 0x48, "l1_cleaned": 0x47,
          "l2_cleaned": 0x57, "inner": 0x44}
MIB_LINES = (1 << 20) // 64
FOLDER = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
LIBRARY = 400  # lines that a C library and the start of threads touch, at most


def run(*words):
    return subprocess.run([ARMPMU, *words], cwd=FOLDER.name, capture_output=True, text=True, check=True)


def trace(mode):
    name = mode + ".trace"
    if not (Path(FOLDER.name) / name).exists():
        run("record", "--stable", "--machine", "rk3588-a76", "--trace", name, "--", "./shared", mode)
    return name


def replay(mode, *words):
    return run("replay", *MACHINE, *words, trace(mode)).stderr


def numbers(lines, events):
    cells = [line.split(",") for line in lines.splitlines()]
    return {name: next(int(c[0]) for c in cells if f"0x{number:02x}" in c) for name, number in events.items()}


def names(events):
    return ",".join(f"r{number:x}" for number in events.values())


def counts(mode, *words):
    return numbers(replay(mode, "-x", ",", "-e", names(EVENTS), *words), EVENTS)


def busiest(mode, *words):
    lines = replay(mode, "-x", ",", "-e", "r11", "--per-thread", *words).splitlines()
    return max(int(line.split(",")[1]) for line in lines if ",0x11," in line)


class Shared(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        missing = guest.missing_tools(target=guest.AARCH64)
        if missing:
            raise unittest.SkipTest(missing)
        subprocess.run([guest.AARCH64.compiler, "-static", "-O1", "-pthread", SOURCE, "-o", "shared"], cwd=FOLDER.name,
                       check=True)

    def test_a_line_that_two_write_goes_to_and_fro(self):
        """Each time a load fetches it and a store claims it: two transfers, one after the other on all cores."""
        apart = counts("a")
        self.assertLess(apart["invalidated"], LIBRARY)
        for transfer in 60, 200:
            words = "--set", f"cores.transfer_cycles={transfer}"
            shared = counts("f", *words)
            self.assertGreater(shared["invalidated"], 2000)
            self.assertGreater(shared["cycles"], 2 * apart["cycles"])
            self.assertAlmostEqual(busiest("f", *words) / (shared["invalidated"] * 2 * transfer), 1, delta=0.1)
            for event in "l1_cleaned", "l2_cleaned", "inner":
                self.assertAlmostEqual(shared[event] / shared["invalidated"], 1, delta=0.1)

    def test_two_megabytes_each_do_not_fit_in_three(self):
        walked = 2 * 2 * MIB_LINES * 4
        # LRU keeps nothing of a walk that does not fit. Level 3 also holds what the levels 2 hold: if it did not, it and two
        # levels 2 of 512 KB would hold all 4 MB. Pages lie side by side, so that none collide where all fit.
        lru = "--set", "llc.replacement=lru", "--set", "llc.holds=missed", "--set", "memory.page_map=identity"
        self.assertGreater(counts("2", *lru)["l3_misses"], 0.8 * walked)
        self.assertLess(counts("1", *lru)["l3_misses"], 2 * MIB_LINES * 1.3 + LIBRARY)
        # A core alone with the same cache has room.
        self.assertLess(counts("2", *lru, "--set", "cores.count=1")["l3_misses"], 2 * 2 * MIB_LINES * 1.3 + LIBRARY)

    def test_what_one_wrote_another_takes(self):
        handed = counts("h")
        self.assertAlmostEqual(handed["l2_cleaned"], 4096, delta=LIBRARY)
        self.assertAlmostEqual(handed["inner"], 4096, delta=2 * LIBRARY)
        self.assertLess(handed["invalidated"], LIBRARY)

    def test_reading_the_same_costs_nothing(self):
        together, alone = counts("r"), counts("r", "--set", "cores.count=1")
        self.assertLess(together["invalidated"], LIBRARY)
        self.assertLessEqual(together["cycles"], alone["cycles"])
        self.assertLess(together["l3_misses"], alone["l3_misses"])

    def test_every_replay_prints_the_same_bytes(self):
        self.assertEqual(len({replay("f", "-e", "all", "-j") for _ in range(20)}), 1)

    def test_a_sweep_prints_what_replays_do(self):
        machines = "rk3588-a76", "altra", "neoverse-n1"
        table = run("sweep", "-x", ",", "-e", "r11", "--machine", ",".join(machines), "--replay", trace("f")).stderr
        for machine in machines:
            line = run("replay", "--machine", machine, "-x", ",", "-e", "r11", trace("f")).stderr
            self.assertIn(line.split(",")[0], table)

    def test_threads_add_up(self):
        lines = replay("f", "-x", ",", "-e", "r48,r11", "--per-thread").splitlines()
        for event, name in ("0x48", "invalidated"), ("0x11", "cycles"):
            parts = [int(line.split(",")[1]) for line in lines if event in line.split(",")]
            self.assertEqual(len(parts), 3)
            self.assertEqual(sum(parts), counts("f")[name])


class Cluster(unittest.TestCase):
    """Cores that share level 2: of the Cortex-A53 and A72. Pages lie side by side, so that none collide where all fit."""
    COMMON = {"cycles": 0x11, "refills": 0x03, "l2_refills": 0x17, "l2_written": 0x18}
    BOARDS = {"raspberrypi3": {**COMMON, "snooped": 0xC8, "external": 0xC0},
              "raspberrypi4": {**COMMON, "snooped": 0x47, "invalidated": 0x48, "l2_cleaned": 0x57}}
    HIT = {"raspberrypi3": 31, "raspberrypi4": 21}  # l2.hit_cycles

    setUpClass = Shared.setUpClass

    def counts(self, board, mode, *words):
        name = f"{board}.{mode}"
        if not (Path(FOLDER.name) / name).exists():
            run("record", "--stable", "--machine", board, "--trace", name, "--", "./shared", mode)
        events = self.BOARDS[board]
        return numbers(run("replay", "--machine", board, *NO_PREFETCH, "--set", "memory.page_map=identity", *words, "-x", ",",
                           "-e", names(events), name).stderr, events)

    def test_two_threads_that_need_two_thirds_of_level_2_evict_each_other(self):
        """LRU keeps nothing of a walk that does not fit. What a data cache loses to level 2 it fetches again anyway."""
        walked = 2 * 4 * MIB_LINES
        lru = "--set", "l2.size_kb=1536", "--set", "l2.replacement=lru"
        for board in self.BOARDS:
            with self.subTest(board=board):
                shared, alone = self.counts(board, "1", *lru), self.counts(board, "1", *lru, "--set", "cores.count=1")
                self.assertAlmostEqual(shared["l2_refills"], walked, delta=6 * LIBRARY)
                self.assertAlmostEqual(alone["l2_refills"], walked / 4, delta=6 * LIBRARY)
                self.assertAlmostEqual(shared["refills"], alone["refills"], delta=LIBRARY)

    def test_what_both_read_comes_once(self):
        """32 KB fit the data caches of no core that has other data: but level 2 has each line after the first."""
        for board in self.BOARDS:
            with self.subTest(board=board):
                shared, alone = self.counts(board, "r"), self.counts(board, "r", "--set", "cores.count=1")
                saved = alone["l2_refills"] - shared["l2_refills"]
                self.assertGreater(saved, 32 * 1024 // 64)  # and the code
                self.assertLess(saved, 32 * 1024 // 64 + LIBRARY)
                self.assertLess(shared["cycles"], alone["cycles"])

    def test_a_line_by_turns_takes_two_transfers_and_a_hit_of_level_2(self):
        """A load takes it, a store claims it, one after the other; the load's hit passes while the other core still waits
        for its claim. Nothing of that leaves the cluster."""
        for board in self.BOARDS:
            with self.subTest(board=board):
                apart = self.counts(board, "a")
                self.assertLess(apart["snooped"], LIBRARY)
                took = {}
                for transfer in 40, 200:
                    words = "--set", f"cores.transfer_cycles={transfer}"
                    turns, alone = self.counts(board, "f", *words), self.counts(board, "a", *words)
                    took[transfer] = turns["cycles"] / 2 / turns["snooped"]  # both threads wait all the time
                    self.assertLess(abs(turns["l2_refills"] - alone["l2_refills"]), LIBRARY / 4)
                    self.assertAlmostEqual((turns["refills"] - alone["refills"]) / turns["snooped"], 1, delta=0.1)
                    for event in {"l2_written", "l2_cleaned", "external"} & set(turns):
                        self.assertLess(abs(turns[event] - alone[event]), LIBRARY / 4, event)
                self.assertAlmostEqual((took[200] - took[40]) / (2 * (200 - 40)), 1, delta=0.04)
                # Here the start of the program counts, too.
                self.assertGreater(took[40] - 2 * 40, 0.5 * self.HIT[board])
                self.assertLess(took[40] - 2 * 40, 2 * self.HIT[board])

    def test_who_loses_a_line_counts_it(self):
        turns = self.counts("raspberrypi4", "f")
        self.assertAlmostEqual(turns["invalidated"] / turns["snooped"], 1, delta=0.01)

    def test_what_one_wrote_another_reads_from_its_data_cache_or_level_2(self):
        """The first thread writes 256 KB, of which its 32 KB of data cache are the last."""
        for board in self.BOARDS:
            with self.subTest(board=board):
                shared, alone = self.counts(board, "h"), self.counts(board, "h", "--set", "cores.count=1")
                self.assertLess(shared["snooped"], 32 * 1024 // 64 + LIBRARY)
                self.assertGreater(shared["snooped"], 32 * 1024 // 64 / 2)
                self.assertAlmostEqual(alone["l2_refills"] - shared["l2_refills"], 4096, delta=LIBRARY)

    def test_memory_gives_both_together_what_it_gives_one(self):
        """Walks of 1 MB by two threads in a level 2 of 128 KB: all lines come from memory, which takes 100 cycles for each."""
        words = "--set", "l2.size_kb=128", "--set", "memory.line_cycles=100"
        for board in self.BOARDS:
            with self.subTest(board=board):
                shared, alone = self.counts(board, "1", *words), self.counts(board, "1", *words, "--set", "cores.count=1")
                self.assertAlmostEqual(shared["l2_refills"] / alone["l2_refills"], 1, delta=0.02)
                # Each thread counts its cycles: together twice as many as they last, less while one walks alone, at the
                # beginning and the end (a seventh with the C library of Debian 13). Not shared, it would be 0.5.
                both = shared["cycles"] / (2 * 100 * shared["l2_refills"])
                self.assertGreater(both, 0.9)
                self.assertLess(both, 1.05)
                self.assertAlmostEqual(alone["cycles"] / (100 * alone["l2_refills"]), 1, delta=0.05)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
