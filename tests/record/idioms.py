#!/usr/bin/env python3
"""Options of perf record and perf report that have no effect here: they are accepted, with a message about
it. Processes have the names of their programs, as there.

usage: idioms.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import contextlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
SOURCE = "__attribute__((noinline)) static int leaf(int n) { return n * n; } int main(void) { return leaf(0); }"

# Runs each program of its arguments.
RUNS = """
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (fork() == 0)
            return execl(argv[i], argv[i], (char *)0);
        wait(0);
    }
    return 0;
}
"""


class Idioms(unittest.TestCase):
    def setUp(self):
        missing = guest.missing_tools()
        if missing:
            self.skipTest(missing)
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        subprocess.run([guest.ARM.compiler, "-static", "-O1", "-x", "c", "-", "-o", "program"], input=SOURCE, text=True,
                       cwd=self.folder, check=True)

    def armpmu(self, *words):
        return subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=120, check=False)

    def test_a_mode_of_the_call_graph(self):
        for words in (["-g"], ["--call-graph", "dwarf"], ["--call-graph=dwarf,16384"], ["--call-graph", "fp"]):
            answer = self.armpmu("record", *words, "./program")
            self.assertEqual(answer.returncode, 0, answer)
            self.assertIn("call paths ]", answer.stderr)
        answer = self.armpmu("record", "--call-graph", "./program")
        self.assertEqual((answer.returncode, answer.stderr), (
            125, "armpmu: --call-graph './program': must be fp, dwarf, lbr or no, as in perf; -g takes no value\n"))

    def test_a_period_of_samples(self):
        for words in (["-F", "99"], ["-F", "max"], ["-c", "10000"], ["--freq=99"]):
            answer = self.armpmu("record", *words, "./program")
            self.assertEqual(answer.returncode, 0, answer)
            self.assertIn(f"{words[0].split('=')[0]} had no effect: nothing is sampled, the counts are exact",
                          answer.stderr)
        self.assertNotIn("no effect", self.armpmu("record", "-q", "-F", "99", "./program").stderr)
        answer = self.armpmu("record", "-F", "often", "./program")
        self.assertEqual((answer.returncode, answer.stderr), (125, "armpmu: -F 'often': must be a number, as in perf\n"))

    def test_the_interface_of_a_report(self):
        self.armpmu("record", "./program")
        answer = self.armpmu("report", "--stdio")
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertEqual(answer.stdout, self.armpmu("report").stdout)

    def test_the_version_of_qemu_is_kept(self):
        """QEMU's file tells it; that of a script that starts QEMU does not."""
        qemu, script = shutil.which(guest.ARM.qemu), self.folder / "script"
        script.write_text(f'#!/bin/sh\nexec {qemu} "$@"\n')
        script.chmod(0o755)
        first = subprocess.run([qemu, "--version"], text=True, capture_output=True, check=True).stdout.splitlines()[0]
        for emulator in (qemu, script):
            answer = self.armpmu("record", "--qemu", emulator, "./program")
            self.assertEqual(answer.returncode, 0, answer)
            with contextlib.closing(sqlite3.connect(self.folder / "armpmu.data")) as data:
                [(version,)] = data.execute("SELECT value FROM meta WHERE key = 'qemu'").fetchall()
            self.assertEqual("qemu-arm version " + version, first)

    def test_processes_have_the_names_of_their_programs(self):
        subprocess.run([guest.ARM.compiler, "-O1", "-x", "c", "-", "-o", "runs"], input=RUNS, text=True, cwd=self.folder, check=True)
        (self.folder / "other").write_bytes((self.folder / "program").read_bytes())
        for name in ("program", "other"):
            (self.folder / name).chmod(0o755)
        self.armpmu("record", "-q", "--", "./runs", "./program", "./other", "./program")
        rows = self.armpmu("report", "-s", "thread", "-e", "cycles", "-x,").stdout.splitlines()[1:]
        names = {int(row.split(",")[0]): row.split(",")[2] for row in rows}
        self.assertEqual([names[process] for process in sorted(names)],
                         ["runs", "runs", "program", "runs", "other", "runs", "program"])


del sys.argv[1:]
unittest.main()
