"""What the tests of commands that read a profile share: a folder with the sample profile, golden outputs, refusals.

A test's arguments begin with ARMPMU SAMPLE_FILE; with --update behind all of them its golden files are written.
"""

import fcntl
import os
import pty
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from terminal import shown_on  # noqa: E402

ARMPMU, SAMPLE_FILE = (Path(word).resolve() for word in sys.argv[1:3])
UPDATE = sys.argv[-1] == "--update"


class SampleCase(unittest.TestCase):
    """command: words before those of each test. golden: (file, words), or (file, words, exit status) where the
    command may complain. refused: (words, what is said). profiles: the copies of the sample that there are."""

    command = []
    golden_folder = ""
    golden = []
    refused = []
    profiles = ["armpmu.data"]

    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in self.profiles:
            subprocess.run([SAMPLE_FILE, self.folder / name], check=True)

    def run_it(self, *words, stdout=subprocess.PIPE, **variables):
        environment = {"PATH": os.environ.get("PATH", "")} | variables
        return subprocess.run([ARMPMU, *self.command, *words], cwd=self.folder, env=environment, stdout=stdout,
                              stderr=subprocess.PIPE, text=True, check=False)

    def output(self, *words):
        answer = self.run_it(*words)
        self.assertEqual((0, ""), (answer.returncode, answer.stderr), words)
        return answer.stdout

    def on_terminal(self, *words, columns=None, **variables):
        master, terminal = pty.openpty()
        if columns:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.run_it(*words, stdout=terminal, **variables)
        shown = shown_on(master, terminal)
        os.close(master)
        return shown.decode().replace("\r\n", "\n")

    def change(self, sql, name="armpmu.data"):
        database = sqlite3.connect(self.folder / name)
        database.executescript("DELETE FROM meta WHERE key = 'checksum';" + sql)
        database.commit()
        database.close()

    def output_with(self, words, *status):
        if not status:
            return self.output(*words)
        answer = self.run_it(*words)
        self.assertEqual((answer.returncode,), status)
        return answer.stdout

    def check_golden(self):
        folder = Path(__file__).resolve().parent / "golden" / self.golden_folder
        self.assertTrue(self.golden)
        for name, words, *status in self.golden:
            with self.subTest(name):
                found = self.output_with(words, *status)
                if UPDATE:
                    folder.mkdir(parents=True, exist_ok=True)
                    (folder / name).write_text(found, encoding="utf-8")
                self.assertEqual((folder / name).read_text(encoding="utf-8"), found)

    def check_refused(self):
        self.assertTrue(self.refused)
        for words, sentence in self.refused:
            with self.subTest(words):
                answer = self.run_it(*words.split(" "))
                self.assertEqual((125, "", f"armpmu: {sentence}\n"),
                                 (answer.returncode, answer.stdout, answer.stderr))


def main():
    del sys.argv[1:]
    unittest.main()
