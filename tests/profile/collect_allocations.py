#!/usr/bin/env python3
"""Blocks of memory by the call that got them: each access is counted once.

usage: collect_allocations.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[3]).resolve()
TARGETS = {"cortex-a8": guest.ARM._replace(machine="cortex-a8"), "neoverse-n1": guest.AARCH64}
NODES, CELLS = 300, 512


def line_of(text):
    return next(i for i, line in enumerate(SOURCE.read_text(encoding="utf-8").splitlines(), 1) if text in line)


class Blocks(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def armpmu(self, *words):
        done = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def record(self, machine, *options, flags=("-g",)):
        target = TARGETS[machine]
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        program = guest.compile_program(SOURCE, self.folder / "program", ["-O1", *flags], target)
        self.armpmu("record", "-q", "--mem", *options, "--machine", machine, "--", program)

    def rows(self, keys):
        """The accesses of each group; all add up to the events."""
        document = json.loads(self.armpmu("report", "--mem", "-s", keys, "-j=1"))
        rows = document["accesses"]
        for column in ("refills", "tlb_refills"):
            self.assertEqual(sum(row[column] for row in rows), document[column])
        return {tuple(row[key] for key in row if key not in NUMBERS): row["accesses"] for row in rows}

    def test_blocks(self):
        for machine in TARGETS:
            for flags in (["-g", "-static"], ["-g"]):
                with self.subTest([machine, *flags]):
                    self.record(machine, flags=flags)
                    self.check_blocks(self.rows("symbol_daddr,symbol"), 8 if machine == "neoverse-n1" else 4)

    def check_blocks(self, of, word):
        where = f"push (allocations.c:{line_of('struct node *const n = malloc')})"
        nodes = f"{NODES} heap blocks of {2 * word + 40} bytes from {where}"
        self.assertEqual(of[nodes, "push"], 2 * NODES)
        self.assertEqual(of[nodes, "add_values"], 2 * NODES)  # by another thread
        cells = f"heap block of {8 * CELLS} bytes from matrix_new (allocations.c:{line_of('= calloc(')})"
        self.assertEqual(of[cells, "add_cells"], CELLS)
        matrix = f"heap block of {8 + word} bytes from matrix_new (allocations.c:{line_of('struct matrix *const m = malloc')})"
        self.assertEqual(of[matrix, "matrix_new"], 3)
        for size, text in ((400, "= realloc("), (128, "posix_memalign("), (4096, "= mmap(")):
            kind = "mapped" if size == 4096 else "heap"
            self.assertEqual(of[f"{kind} block of {size} bytes from others (allocations.c:{line_of(text)})", "others"], 2)

    def test_paths(self):
        self.record("neoverse-n1", "-g", flags=["-g", "-static"])
        names = [data for data, in self.rows("symbol_daddr")]
        call = f"main \\(allocations\\.c:{line_of('push(i);')}\\)"
        self.assertTrue(any(re.fullmatch(rf"{NODES} heap blocks of 56 bytes from push .* < {call} < .*", name) for name in names))

    def test_what_is_not_known(self):
        """A program without symbols, and one without debug data: nothing is guessed."""
        self.record("neoverse-n1", flags=["-static", "-s"])
        names = {data for data, in self.rows("symbol_daddr")}
        self.assertIn("[heap]", names)
        self.assertFalse([name for name in names if "block" in name])
        self.assertIn("# [heap]: no call of malloc", self.armpmu("report", "--by-data"))
        self.record("neoverse-n1", flags=["-static"])
        self.assertTrue([data for data, in self.rows("symbol_daddr") if data.endswith("56 bytes from push")])


NUMBERS = ("accesses", "refills", "percent", "tlb_refills", "cycles", "latency")

del sys.argv[1:]
unittest.main()
