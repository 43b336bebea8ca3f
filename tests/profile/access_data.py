#!/usr/bin/env python3
"""Names of accessed data: symbols, stack and heap, also in position-independent programs.

usage: access_data.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU, SOURCE = Path(sys.argv[1]).resolve(), Path(sys.argv[3]).resolve()
TARGETS = {"cortex-a8": guest.ARM._replace(machine="cortex-a8"), "neoverse-n1": guest.AARCH64}


class Names(unittest.TestCase):
    def test_names(self):
        for machine, target in TARGETS.items():
            for options in (["-static"], []):
                with self.subTest([machine, *options]), tempfile.TemporaryDirectory() as folder:
                    missing = guest.missing_tools(target=target)
                    if missing:
                        self.skipTest(missing)
                    program = guest.compile_program(SOURCE, Path(folder) / "program", [*options, "-O1", "-g"], target)
                    record = ["record", "-q", "--mem", "--machine", machine]
                    for words in ([*record, "--", program], ["report", "-s", "symbol_daddr,symbol", "-j"]):
                        done = subprocess.run([ARMPMU, *words], cwd=folder, text=True, stdin=subprocess.DEVNULL,
                                              capture_output=True, timeout=200, check=False)
                        self.assertEqual(done.returncode, 0, done.stderr)
                    self.check({(row["data"], row["symbol"]): row["accesses"] for row in map(json.loads, done.stdout.splitlines())})

    def check(self, of):
        self.assertEqual(of["table", "steps"], 3 * 4096 * 2)
        self.assertEqual(of["rows", "members"], 4096)
        block = next(data for data, symbol in of if symbol == "heap" and "block" in data)
        self.assertRegex(block, r"^heap block of 65536 bytes from heap \(accesses\.c:\d+\)$")
        self.assertEqual(of[block, "heap"], (1 << 14) + (1 << 10))
        self.assertGreater(of["stack frame of stack", "stack"], 100)
        known = sum(n for (data, _), n in of.items() if data not in ("[unknown]", "[several]", "[mapped]"))
        self.assertGreater(known, 0.9 * sum(of.values()))
        self.assertNotIn("[unknown]", {data for data, _ in of})


del sys.argv[1:]
unittest.main()
