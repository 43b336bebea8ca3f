"""Which tests scripts/test-sanitized runs: the programs built here that run nothing else."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/c_tests.py"


class CTests(unittest.TestCase):
    def list(self, what, *tests):
        with tempfile.TemporaryDirectory() as folder:
            info = Path(folder, "meson-info")
            info.mkdir()
            info.joinpath("intro-tests.json").write_text(json.dumps([
                {"name": name, "suite": ["armpmu:" + suite], "cmd": [word.format(folder) for word in cmd]}
                for name, suite, *cmd in tests]), encoding="utf-8")
            run = subprocess.run([sys.executable, SCRIPT, folder, what], text=True, check=False,
                                 stdout=subprocess.PIPE)
        return run.returncode, run.stdout.splitlines()

    def test_programs_built_here(self):
        tests = [("a, b", "pmu", "{}/tests/pmu/a"), ("c", "isa", "{}/tests/isa/c", "/x"), ("d", "fuzz", "{}/fuzz/replay", "/corpus"),
                 ("a again", "pmu", "{}/tests/pmu/a", "more"), ("script", "cli", "/usr/bin/python3", "x.py"),
                 ("emulated", "examples", "/usr/bin/qemu-arm", "{}/examples/matrix"),
                 ("run", "firmware", "{}/armpmu", "run", "x.elf")]
        self.assertEqual(self.list("names", *tests), (0, ["a, b", "c", "a again"]))
        self.assertEqual(self.list("targets", *tests), (0, ["tests/isa/c", "tests/pmu/a"]))

    def test_none_is_a_failure(self):
        self.assertEqual(self.list("names")[0], 1)


if __name__ == "__main__":
    unittest.main()
