#!/usr/bin/env python3
"""Threads that share a level 3 of 3 MB and lines, from saved traces, against arithmetic.

usage: shared.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
SOURCE = Path(sys.argv[3]).resolve()
MACHINE = ["--machine", "rk3588-a76", "--set", "prefetch.lines=0", "--set", "prefetch.l1_lines=0", "--set",
           "prefetch.store_lines=0"]
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


def counts(mode, *words):
    lines = replay(mode, "-x", ",", "-e", ",".join(f"r{number:x}" for number in EVENTS.values()), *words).splitlines()
    cells = [line.split(",") for line in lines]
    return {name: next(int(c[0]) for c in cells if f"0x{number:02x}" in c) for name, number in EVENTS.items()}


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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
