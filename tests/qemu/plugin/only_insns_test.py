"""stat -e instructions,branches has QEMU count, without a trace and a model: the same numbers as with them.

guests/leaves.c has the ways in which a count could be wrong: what faults, is refused, rewrites itself, forks, ends early. On
these each thread's count is compared, since the first thread of one with several waits for the others as chance has it.
"""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ARMPMU = os.environ["ARMPMU"]
LEAVES = [Path(path) for path in os.environ["LEAVES"].split(":")]
MACHINES = {"leaves_a64": "neoverse-v1", "leaves_a32": "cortex-a8", "leaves_t32": "cortex-r4f"}
FAULT, REFUSED, ENDED = 128 + 11, 128 + 4, 128 + 15
WAYS = {"inside": 0, "return": 0, "page": 0, "refused": 0, "undefined": 0, "rewrite": 0, "forks": 0, "die": FAULT,
        "signal": ENDED, "die-refused": REFUSED, "die-undefined": REFUSED, "executes": 0}
IN_THREADS = {"threads": 0, "thread-ends": 0}


def count(machine, events, program, *options):
    """The exit status, and the rows of instructions and branches."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out.json")
        done = subprocess.run([ARMPMU, "stat", "--stable", "-j", "-e", events, "--machine", machine, "-o", out, *options, "--",
                               *program], capture_output=True, text=True, check=False)
        rows = [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []
    return done.returncode, [row for row in rows if row.get("event") in ("instructions", "branches")]


def events_of(machine):
    return "instructions,branches" if machine.startswith("neoverse") else "instructions"


def both(machine, *program, options=()):
    """What execution alone gives, and what a model of everything does."""
    events = events_of(machine)
    return [count(machine, asked, program, *options) for asked in (events, f"{events},cycles")]


class OnlyInstructions(unittest.TestCase):
    def test_each_way(self):
        for leaves in LEAVES:
            for way, status in WAYS.items():
                with self.subTest(way=way, guest=leaves.name):
                    (ended, fast), (same, full) = both(MACHINES[leaves.name], leaves, way)
                    self.assertEqual((ended, same), (status, status))
                    self.assertGreater(int(fast[0]["counter-value"]), 5000)
                    self.assertEqual([row["counter-value"] for row in fast], [row["counter-value"] for row in full])

    def test_threads(self):
        for leaves in LEAVES:
            for way, status in IN_THREADS.items():
                with self.subTest(way=way, guest=leaves.name):
                    (ended, fast), (same, full) = both(MACHINES[leaves.name], leaves, way, options=["--per-thread"])
                    self.assertEqual((ended, same), (status, status))
                    counts = [[row["counter-value"] for row in rows if not row["thread"].endswith("1.1")]
                              for rows in (fast, full)]
                    self.assertGreaterEqual(len(counts[0]), 1)
                    self.assertEqual(*counts)

    def test_each_core(self):
        """The meaning of the event is the same on each core that runs programs."""
        listed = subprocess.run([ARMPMU, "list", "machine"], capture_output=True, text=True, check=True).stdout
        machines = [line.split()[0] for line in listed.splitlines()
                    if "-plain" not in line and not line.startswith(("tms", "rm48"))]
        self.assertGreater(len(machines), 15)
        wide = next(path for path in LEAVES if path.name == "leaves_a64")
        narrow = next(path for path in LEAVES if path.name == "leaves_a32")
        for machine in machines:
            with self.subTest(machine=machine):
                pairs = [both(machine, program, "inside") for program in (wide, narrow)]
                known = [pair for pair in pairs if pair[0][1] != []]
                self.assertEqual(len(known), 1) # the other is no program for it
                for fast, full in known:
                    self.assertEqual(fast[1][0]["counter-value"], full[1][0]["counter-value"])

    def test_nothing_is_said_of_time(self):
        leaves = LEAVES[0]
        _, rows = count(MACHINES[leaves.name], "instructions", [leaves, "inside"])
        self.assertNotIn("event-runtime", rows[0])
        self.assertEqual(rows[0]["metric-unit"], "")
        text = subprocess.run([ARMPMU, "stat", "-e", "instructions", "--machine", MACHINES[leaves.name], "--", leaves, "inside"],
                              capture_output=True, text=True, check=True).stderr
        document = json.loads(subprocess.run([ARMPMU, "stat", "--json=1", "-e", "instructions", "--machine", MACHINES[leaves.name],
                                              "--", leaves, "inside"], capture_output=True, text=True, check=True).stderr)
        self.assertEqual(set(document["sections"][0]), {"events"})
        self.assertNotIn("seconds", document)
        self.assertIn("without a model of time", text)
        self.assertNotIn("simulated", text)
        self.assertNotIn("Hot spot", text)

    def test_what_needs_time_has_it(self):
        for options in (["-I", "100000"], ["--topdown"], ["--roi", "main"]):
            with self.subTest(options=options):
                leaves = LEAVES[0]
                done = subprocess.run([ARMPMU, "stat", "-e", "instructions", "--machine", MACHINES[leaves.name], *options, "--",
                                       leaves, "inside"], capture_output=True, text=True, check=True)
                self.assertIn("simulated", done.stderr)


if __name__ == "__main__":
    unittest.main()
