#!/usr/bin/env python3
"""Members of structures that accesses are to, by the types of DWARF.

usage: data_types.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import collections
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
NODES, PARTS = 300, 1024


class Members(unittest.TestCase):
    def accesses(self, machine, *flags):
        """How many accesses are to a member, by function; all add up to the core's refills."""
        target = TARGETS[machine]
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        with tempfile.TemporaryDirectory() as folder:
            program = guest.compile_program(SOURCE, Path(folder) / "program", ["-static", *flags], target)
            for words in (["record", "-q", "--mem", "--machine", machine, "--", program],
                          ["report", "--members", "-s", "type,typeoff,symbol", "-j=1"]):
                done = subprocess.run([ARMPMU, *words], cwd=folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=200, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        of = collections.Counter()
        for row in document["accesses"]:
            self.assertTrue(row["member"].startswith(row["type"]), row)
            of[row["member"], row["symbol"]] += row["accesses"]
        self.assertEqual(sum(row["refills"] for row in document["accesses"]), document["refills"])
        return of

    def test_members(self):
        for machine, word in (("cortex-a8", 4), ("neoverse-n1", 8)):
            for level in ("-O1", "-O2"):
                with self.subTest([machine, level]):
                    of = self.accesses(machine, "-g", level)
                    self.assertEqual(of["struct part +16 (kind)", "add_parts"], PARTS)
                    self.assertEqual(of["struct part +22 (in.high)", "add_parts"], PARTS)
                    both = of["struct node +0 ([several])", "add_values"]  # by LDP, LDRD
                    self.assertEqual(of["struct node +0 (next)", "add_values"] + both, NODES)
                    self.assertEqual(of[f"struct node +{word} (value)", "add_values"] + both, NODES)
                    both = of["struct node +0 ([several])", "push"]
                    self.assertEqual(of["struct node +0 (next)", "push"] + both, NODES)
                    if level == "-O1":
                        self.assertEqual(of["struct matrix +8 (cells)", "matrix_new"], 1)

    def test_without_debug_data(self):
        self.assertEqual({member for member, _ in self.accesses("neoverse-n1", "-O1")}, {"[type not known]"})


del sys.argv[1:]
unittest.main()
