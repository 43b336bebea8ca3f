"""'SCRIPT --help' prints how the script is used, from any folder, and does nothing else."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"


def shell_scripts():
    """Those that a person runs: executable, and not only a way to start a Python file."""
    for script in sorted(SCRIPTS.iterdir()):
        if os.access(script, os.X_OK) and script.is_file():
            text = script.read_text(encoding="utf-8")
            if text.startswith("#!/bin/sh") and "# usage:" in text:
                yield script


class Help(unittest.TestCase):
    def test_each_script_prints_its_usage(self):
        scripts = list(shell_scripts())
        self.assertGreater(len(scripts), 20)
        with tempfile.TemporaryDirectory() as folder:
            for script in scripts:
                if script.name == "post-comment":  # a release has this file alone
                    continue
                with self.subTest(script.name):
                    run = subprocess.run([os.path.relpath(script, folder), "--help"], cwd=folder, env={"PATH": os.environ["PATH"], "BUILD": "build"},
                                         text=True, capture_output=True, check=False, timeout=60)
                    self.assertEqual((run.returncode, run.stderr), (0, ""))
                    self.assertIn("usage:", run.stdout)
                    self.assertNotIn("set -eu", run.stdout)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
