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

    def test_split_debug_data(self):
        for version in ("4", "5"):
            whole, split = ({member: n for member, n in self.accesses("cortex-a8", *flags, "-O1").items()
                             if member[0].startswith("struct")}
                            for flags in ([f"-gdwarf-{version}"], [f"-gdwarf-{version}", "-gsplit-dwarf"]))
            self.assertEqual(split, whole)
            self.assertEqual(split["struct part +16 (kind)", "add_parts"], PARTS)

    def test_without_debug_data(self):
        self.assertEqual({member for member, _ in self.accesses("neoverse-n1", "-O1")}, {"[type not known]"})


class Types(unittest.TestCase):
    """annotate --data-type of members.c, whose items are 68 bytes, or 72 with their end."""

    N = 2 * 512
    ITEM = [  # offset, size, name, accesses; what covers bytes of a union is named by its width
        (0, 8, "key", N), (8, 4, "value.number/real", N), (10, 2, "value.half.high", N), (12, 1, "kind", 0),
        (13, 1, "state", N), (16, 8, "wide", N), (16, 4, "narrow[]", N), (24, 4, "ready/level/rest", N),
        (28, 4, "at[].x", N), (32, 4, "at[].y", N), (44, 24, "unused[]", 0)]

    def run_it(self, *words, status=0):
        done = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=200, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def record(self, machine, *options):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        missing = guest.missing_tools(target=TARGETS[machine])
        if missing:
            self.skipTest(missing)
        program = guest.compile_program(SOURCE.with_name("members.c"), Path(self.folder) / "program",
                                        ["-static", "-g", "-O1"], TARGETS[machine])
        self.run_it("record", "-q", *options, "--machine", machine, "--", program)

    def test_all_members_are_shown_by_offset(self):
        for machine in TARGETS:
            with self.subTest(machine):
                self.record(machine, "--mem")
                document = json.loads(self.run_it("annotate", "--data-type=item", "-j=1"))
                whole, *rows = document["members"]
                self.assertEqual([(row["offset"], row["size"], row["member"], row["accesses"]) for row in rows], self.ITEM)
                self.assertEqual({row["type"] for row in document["members"]}, {"struct item"})
                for count in ("accesses", "refills", "tlb_refills", "cycles"):
                    self.assertEqual(whole[count], sum(row[count] for row in rows))
                self.assertGreater(whole["refills"], 0)
                [unused, store] = [row for row in rows if row["member"] in ("kind", "at[].x")]
                self.assertNotIn("latency", unused)
                self.assertNotIn("latency", store)

    def test_formats_and_all_types(self):
        self.record("neoverse-n1", "--mem")
        rows = [json.loads(line) for line in self.run_it("annotate", "--data-type", "--percent-limit=0", "-j").splitlines()]
        report = json.loads(self.run_it("report", "-s", "type", "-j=1"))
        self.assertEqual({row["type"]: row["accesses"] for row in rows if "member" not in row},
                         {row["type"]: row["accesses"] for row in report["accesses"]})
        text = self.run_it("annotate", "--data-type=struct item")
        self.assertRegex(text, r"(?m)^ +0 +0\.00 +0 +12 +1      kind$")
        self.assertLessEqual(max(map(len, text.splitlines()[1:])), 80)
        head, whole, key = self.run_it("annotate", "--data-type=item", "-x,").splitlines()[:3]
        self.assertEqual(head, "type,member,offset,size,accesses,refills,percent,tlb_refills,cycles,latency")
        self.assertTrue(whole.startswith(f"struct item,,,,{9 * self.N},"), whole)
        self.assertTrue(key.startswith(f"struct item,key,0,8,{self.N},"), key)

    def test_what_is_wrong_is_refused(self):
        self.record("neoverse-n1", "--mem")
        self.assertIn("the program accesses no such type", self.run_it("annotate", "--data-type=nothing", status=125))
        for words in (["count"], ["-e", "cycles"], ["--topdown"]):
            self.assertIn("--data-type shows structures", self.run_it("annotate", "--data-type", *words, status=125))
        self.record("neoverse-n1")
        self.assertIn("record with --mem", self.run_it("annotate", "--data-type", status=125))


del sys.argv[1:]
unittest.main()
