"""What others leave or set does not reach a run: files of other users, folders of killed runs, variables of QEMU's.

usage: safety.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
# With an argument it waits. Without, it executes itself with variables of QEMU's, and says which it has.
SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    char *const again[] = {argv[0], 0};
    char *const variables[] = {"QEMU_STRACE=1", "QEMU_PLUGIN=/nonesuch.so", "QEMU_LOG=in_asm,nochain", "AGAIN=1", 0};
    if (argc > 1)
        for (puts("ready"), fflush(stdout);;)
            pause();
    if (getenv("AGAIN") == NULL) {
        execve("./program", again, variables);
        return 1;
    }
    printf("%s %s\\n", getenv("QEMU_STRACE"), getenv("QEMU_PLUGIN"));
    return 0;
}
"""
NOBODY = 65534


class Safety(unittest.TestCase):
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
        return subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=120, check=False)

    def test_variables_of_an_exec_are_the_programs(self):
        done = self.armpmu("stat", "-e", "instructions", "--", "./program")
        self.assertEqual((done.returncode, done.stdout), (0, "1 /nonesuch.so\n"), done.stderr)
        self.assertNotIn("write(", done.stderr)

    def test_files_of_others(self):
        if os.geteuid() != 0:
            self.skipTest("only root gives files away")
        self.armpmu("record", "-e", "instructions", "--", "./program")
        self.armpmu("record", "--trace", "trace", "--", "./program")
        sweep = ["sweep", "--set", "l2.size_kb=256,512", "--replay", "trace"]
        commands = (["report"], ["annotate"], ["script"], ["convert", "--to", "callgrind"],
                    ["diff", "armpmu.data", "armpmu.data"], ["replay", "trace"], sweep)
        for words in commands:
            self.assertEqual(self.armpmu(*words).returncode, 0, words)
        for file in ("armpmu.data", "trace"):
            os.chown(self.folder / file, NOBODY, -1)
        for words in commands:
            done = self.armpmu(*words)
            self.assertNotEqual(done.returncode, 0, words)
            self.assertRegex(done.stderr, f"belongs neither to you nor to root, but to the user with ID {NOBODY}; -f reads it")
            self.assertEqual(self.armpmu(words[0], "-f", *words[1:]).returncode, 0, words)

    def folder_of_a_run(self, words):
        """Of a run that waits. The folder stands in the program's arguments."""
        run = subprocess.Popen([ARMPMU, "stat", "--stable", "--", "./program", "wait"], cwd=self.folder, text=True,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        words.append(run)
        while True:
            for pid in subprocess.run(["pgrep", "-P", str(run.pid)], text=True, stdout=subprocess.PIPE, check=False).stdout.split():
                found = re.search(rb"/tmp/armpmu-\w{6}", Path(f"/proc/{pid}/cmdline").read_bytes())
                if found:
                    return Path(found.group().decode())
            time.sleep(0.02)

    def test_folders_of_killed_runs_go(self):
        runs = []
        left, used = self.folder_of_a_run(runs), self.folder_of_a_run(runs)
        self.assertTrue(left.exists() and used.exists())
        runs[0].send_signal(signal.SIGKILL)
        runs[0].communicate()  # from here on any other run may remove its folder
        self.assertEqual(self.armpmu("stat", "--stable", "--", "./program").returncode, 0)
        self.assertFalse(left.exists())
        self.assertTrue((used / "program").exists())
        runs[1].send_signal(signal.SIGTERM)
        runs[1].communicate()
        self.assertFalse(used.exists())


del sys.argv[1:]
unittest.main()
