"""armpmu whatif: the cycles of each replay are those that armpmu stat counts.

usage: whatif.py ARMPMU PROGRAM MACHINES
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path


def run(*words):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES})


def report(*words):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report")
        done = run(*words, "-o", str(file), "--", PROGRAM)
        assert done.returncode == 0, done.stderr
        return file.read_text()


def cycles(*settings):
    [line] = [line for line in report("stat", "-j", "-e", "cycles", *settings).splitlines() if "CPU_CYCLES" in line]
    return int(json.loads(line)["counter-value"])


class Whatif(unittest.TestCase):
    def test_bounds_are_counts_of_other_machines(self):
        document = json.loads(report("whatif", "-j=1", "--machine-ideal", "--set", "l2.size_kb=64"))
        self.assertEqual(document["cycles"], cycles("--set", "l2.size_kb=64"))
        rows = {row["change"].split(" ")[0]: row for row in document["trials"]}
        for key, value in (("l2.size_kb", "128"), ("branch.perfect", "yes"), ("memory.latency_cycles", "50")):
            with self.subTest(key=key):
                wanted = cycles("--set", "l2.size_kb=64", "--set", f"{key}={value}")
                self.assertEqual(rows[key]["cycles"], wanted)
                self.assertEqual(rows[key]["cycles-saved"], document["cycles"] - wanted)

    def test_the_most_is_first(self):
        rows = [json.loads(line) for line in report("whatif", "-j").splitlines()]
        saved = [row["cycles-saved"] for row in rows if "cycles" in row]
        self.assertEqual(saved, sorted(saved, reverse=True))
        self.assertGreater(saved[0], 0)

    def test_a_machine_that_cannot_be_has_a_reason(self):
        rows = [json.loads(line) for line in report("whatif", "-j").splitlines()]
        [row] = [row for row in rows if row["what-if"] == "the level 1 data cache had twice the size"]
        self.assertIn("a cortex-a8 has 1 to 32", row["change"])
        self.assertNotIn("cycles", row)

    def test_places_are_named_and_changed(self):
        for by, form in (("function", r"[A-Za-z_\[]"), ("insn", r"[A-Za-z_0-9\[].*\+0x")):
            document = json.loads(report("whatif", "-j=1", "--by", by, "--places", "5"))
            places = [row for row in document["trials"] if "cure" in row]
            with self.subTest(by=by):
                self.assertGreater(len(places), 0)
                self.assertLessEqual(len(places), 5)
                for row in places:
                    self.assertIn(row["cure"], ("level1", "level2", "tlb", "stores", "branch", "prefetch", "code", "latency"))
                    self.assertGreaterEqual(row["place-before"], 0)
                    self.assertNotIn("place-after", row)
                    self.assertIn(row["place"], row["what-if"])
                self.assertTrue(any(re.match(form, row["place"]) for row in places))
                self.assertTrue(any(row["cycles-saved"] > 0 for row in places))

    def test_data_on_a_core_that_can_hit_level_1(self):
        rows = [json.loads(line) for line in report("whatif", "-j", "--by", "data", "--set", "l1d.size_kb=1").splitlines()]
        data = [row for row in rows if "cure" in row]
        self.assertEqual({row["cure"] for row in data}, {"level1", "level2"})
        self.assertTrue(all("place-before" not in row and ":" not in row["place"] for row in data))
        self.assertGreater(max(row["cycles-saved"] for row in data), 0)

    def test_a_core_without_level_2_and_tlb(self):
        done = run("whatif", "--machine", "xscale-80200", "--replay", "/nowhere")
        self.assertEqual(done.returncode, 125)
        with tempfile.TemporaryDirectory() as folder:
            trace = str(Path(folder, "trace"))
            run("record", "-q", "--machine", "cortex-r4f", "--trace", trace, "--", PROGRAM)
            rows = [json.loads(line) for line in run("whatif", "-j", "--machine", "cortex-r4f", "--replay", trace).stdout.splitlines()]
        cures = {row["cure"] for row in rows if "cure" in row}
        self.assertLessEqual({"branch", "level1"}, cures)
        self.assertLessEqual(cures, {"branch", "level1", "prefetch", "stores", "code", "latency"})
        self.assertTrue(all("place-after" not in row for row in rows))
        rows = [json.loads(line) for line in run("whatif", "-j", "--by", "data", "--machine", "cortex-r4f", "--set", "l1d.size_kb=4", "--",
                                                 PROGRAM).stdout.splitlines() if line.startswith("{")]
        self.assertEqual({row["cure"] for row in rows if "cure" in row}, {"level1"})
        self.assertGreater(max(row["cycles-saved"] for row in rows if "cure" in row), 0)

    def test_a_trace_serves_as_well(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = str(Path(folder, "trace"))
            self.assertEqual(run("record", "-q", "--trace", trace, "--stable", "--", PROGRAM).returncode, 0)
            self.assertEqual(run("whatif", "-j=1", "--places", "0", "--replay", trace).stdout,
                             report("whatif", "-j=1", "--machine-ideal", "--stable"))
            self.assertIn("[0x", run("whatif", "--by", "function", "--replay", trace).stdout)
            self.assertIn("a trace has no names of data", run("whatif", "--by", "data", "--replay", trace).stderr)

    def test_what_cannot_be_is_said(self):
        for words, sentence in ((["whatif"], "no program to run"),
                                (["whatif", "--replay", "/nowhere"], "cannot read the trace '/nowhere'"),
                                (["whatif", "--replay", "/nowhere", "--", PROGRAM], "leave one of them out"),
                                (["whatif", "--replay", "/nowhere", "--stable"], "are for a program that runs")):
            with self.subTest(words=words):
                done = run(*words)
                self.assertEqual(done.returncode, 125)
                self.assertIn(sentence, done.stderr)
        done = subprocess.run([ARMPMU, "whatif", "--", PROGRAM], capture_output=True, text=True, check=False,
                              env={**os.environ, "TMPDIR": "/nowhere"})
        self.assertEqual(done.returncode, 125)
        self.assertIn("set TMPDIR to a folder with more room", done.stderr)


if __name__ == "__main__":
    ARMPMU, PROGRAM, MACHINES = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
