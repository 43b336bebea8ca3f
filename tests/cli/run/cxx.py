"""A program of C++, built with the default flags of each core's -mcpu, runs, and is counted, recorded and annotated.

usage: cxx.py ARMPMU AARCH64_COMPILER SOURCE
"""
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, COMPILER, SOURCE = (str(Path(sys.argv[1]).resolve()), *sys.argv[2:])
del sys.argv[1:]
SAYS = "words 997 longest aaaaaaaaaaaa caught 3 total 332833500\n"
EVENTS = "INST_RETIRED,CPU_CYCLES,L1D_CACHE"


def run(*command):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)


def cores():
    """Those whose programs this compiler makes."""
    listed = run(ARMPMU, "list", "core").stdout.splitlines()
    names = [line.split()[0] for line in listed if re.match(r"(cortex-[ax]\d|neoverse-)", line)]
    return [name for name in names if run(COMPILER, f"-mcpu={name}", "-E", "-x", "c++", "/dev/null").returncode == 0]


class Cxx(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, core):
        program, profile = self.folder / core, self.folder / f"{core}.data"
        built = run(COMPILER, f"-mcpu={core}", "-O2", "-g", "-static", SOURCE, "-o", program)
        self.assertEqual(built.returncode, 0, built.stderr)
        done = run(ARMPMU, "stat", "--machine", core, "--stable", "-j", "-o", "/dev/stderr", "-e", EVENTS, "--", program)
        self.assertEqual((done.returncode, done.stdout), (0, SAYS), done.stderr)
        counts = {row["event"]: float(row["counter-value"]) for row in map(json.loads, done.stderr.splitlines())
                  if "counter-value" in row}
        self.assertGreater(counts["INST_RETIRED"], 100000)
        self.assertLessEqual(counts["INST_RETIRED"], 8 * counts["CPU_CYCLES"])
        done = run(ARMPMU, "record", "--machine", core, "--stable", "-e", EVENTS, "-o", profile, "--", program)
        self.assertEqual((done.returncode, done.stdout), (0, SAYS), done.stderr)
        done = run(ARMPMU, "report", "-i", profile)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sum_of_squares", done.stdout)
        done = run(ARMPMU, "annotate", "-i", profile, "sum_of_squares")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("sum_of_squares", done.stdout)
        return counts

    def test_each_core(self):
        names = cores()
        self.assertIn("cortex-a53", names)
        for name in names:
            with self.subTest(core=name):
                self.check(name)


if __name__ == "__main__":
    unittest.main()
