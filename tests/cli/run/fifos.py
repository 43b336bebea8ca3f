#!/usr/bin/env python3
"""A FIFO without a writer, where a file is to be read: the command ends by itself, with a sentence.

usage: fifos.py ARMPMU MACHINES
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, MACHINES = (Path(word).resolve() for word in sys.argv[1:3])
WORDS = [["list", "--machine", "./fifo"], ["stat", "--machine", "./fifo", "true"], ["replay", "fifo"],
         ["sweep", "--replay", "fifo"], ["sweep", "--slurm", "array", "--stable", "--programs", "fifo"],
         ["calibrate", "--read", "fifo", "--name", "x"], ["report", "-i", "fifo"], ["diff", "fifo", "fifo"],
         ["run", "--load", "0", "fifo"], ["stat", "--baseline", "fifo", "true"]]


class Fifos(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.mkfifo(Path(folder.name, "fifo"))

    def test_nobody_writes(self):
        for words in WORDS:
            with self.subTest(words):
                answer = subprocess.run([ARMPMU, *words], cwd=self.folder, stdin=subprocess.DEVNULL,
                                        capture_output=True, text=True, check=False, timeout=60)
                self.assertIn(answer.returncode, (125, 126))
                self.assertRegex(answer.stderr, r"^armpmu: .*fifo.*\n$")

    def test_a_pipe_of_the_shell_is_read(self):
        machine = MACHINES / "cortex-a8.ini"
        answer = subprocess.run(["bash", "-c", f"'{ARMPMU}' list metric --machine <(cat '{machine}')"], text=True,
                                stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=60)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))


if __name__ == "__main__":
    del sys.argv[1:]
    unittest.main()
