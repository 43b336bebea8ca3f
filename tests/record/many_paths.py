#!/usr/bin/env python3
"""A program with more call paths than a profile tells by line: inclusive counts stay right, and whoever prints it says
what is not. One with fewer says nothing.

usage: many_paths.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()


def source(levels):
    """Each function calls the next from two places: 2 to the power of levels paths."""
    calls = "".join(f"__attribute__((noinline)) static void f{i}(void) {{ f{i + 1}(); s++; f{i + 1}(); s++; }}\n"
                    for i in reversed(range(levels)))
    return ("static volatile int s;\n"
            f"__attribute__((noinline)) static void f{levels}(void) {{ s++; }}\n{calls}int main(void) {{ f0(); return 0; }}\n")


class ManyPaths(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        missing = guest.missing_tools()
        if missing:
            self.skipTest(missing)

    def armpmu(self, *words):
        done = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def said(self, levels):
        """What each command says of such a program; to standard output and standard error."""
        (self.folder / "paths.c").write_text(source(levels), encoding="utf-8")
        subprocess.run([guest.ARM.compiler, "-static", "-O1", "paths.c", "-o", "paths"], cwd=self.folder, check=True)
        # An event that happens on few of the paths: script -g prints each row with all its callers.
        recorded = self.armpmu("record", "-g", "-e", "branch-misses,instructions", "--", "./paths").stderr
        converted = self.armpmu("convert", "--to", "callgrind", "-o", "-")
        return {
            "record": recorded,
            "report": self.armpmu("report", "--children").stdout,
            "report -j": self.armpmu("report", "-j").stderr,
            "convert": converted.stderr,
            "callgrind": converted.stdout,
            "script -g": self.armpmu("script", "-g", "-e", "branch-misses").stderr,
        }

    def test_who_prints_it_says_so(self):
        for who, text in self.said(16).items():
            with self.subTest(who):
                self.assertIn("more than 65,536; further calls", text)

    def test_inclusive_counts_stay_right(self):
        said = self.said(17)["report -j"]
        self.assertIn("65,536", said)
        lines = self.armpmu("report", "-j", "--children", "-s", "symbol", "-e", "instructions").stdout.splitlines()
        rows = {row["symbol"]: row["events"]["INST_RETIRED"] for row in map(json.loads, lines)}
        functions = [f"f{i}" for i in range(18)]
        for i, function in enumerate(functions[:-1]):
            # All below it, and 2 to the power of i calls of the same length.
            self.assertEqual(rows[function]["inclusive"], sum(rows[inner]["self"] for inner in functions[i:]))
            self.assertEqual(rows[function]["self"] % (1 << i), 0)

    def test_fewer_are_whole(self):
        for who, text in self.said(10).items():
            with self.subTest(who):
                self.assertNotIn("65,536", text)

    def test_the_export_says_what_it_makes_of_recursion(self):
        self.assertIn("\ndesc: Recursion: ", self.said(2)["callgrind"])


del sys.argv[1:]
unittest.main()
