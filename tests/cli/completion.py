"""Completion in bash, zsh and fish: each shell reads its script; bash and fish complete with it.

usage: completion.py ARMPMU MACHINES

A shell that is not installed is left out, and said.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# A command line up to the cursor behind "armpmu", what must be offered, what must not.
CASES = [
    ("", ["stat", "run", "guest", "list", "regs", "check", "dtb", "completion", "help"], ["--help"]),
    ("st", ["stat"], ["list"]),
    ("--ma", ["--machine"], ["--color"]),
    ("--machine ixp", ["ixp425"], ["pxa255"]),
    ("--color n", ["never"], ["always"]),
    ("--color never reg", ["regs"], ["run"]),
    ("stat --mo", ["--mode"], ["--machine"]),
    ("stat --mode ", ["all", "hw"], ["--mode"]),
    ("stat --no-b", ["--no-big-num"], []),
    ("stat --keep-running --se", ["--semihosting", "--semihosting-root"], []),
    ("stat -e L1D_C", ["L1D_CACHE", "L1D_CACHE_REFILL"], ["L1I_CACHE"]),
    ("stat -e cycles,L1D_C", ["cycles,L1D_CACHE"], ["L1D_CACHE"]),
    ("stat --event {L1D_CACHE,BR_", ["{L1D_CACHE,BR_PRED"], []),
    ("stat --machine pxa255 -e ITL", ["ITLB_MISS"], []),
    ("stat -e ITL", [], ["ITLB_MISS"]),
    ("stat -o tw", ["two words", "twice"], ["once"]),
    ("stat -B on", ["once"], ["stat"]),
    ("stat ./once tw", ["two words", "twice"], []),
    ("stat ./once --js", [], ["--json"]),
    ("stat -- tw", ["two words", "twice"], []),
    ("list mach", ["machine"], ["metric"]),
    ("list machine cortex-a8-", ["cortex-a8-plain"], ["cortex-r4f"]),
    ("list reg PMN", ["PMNC"], ["L1D_CACHE"]),
    ("list --core xscale1 ITL", ["ITLB_MISS"], []),
    ("list --format ", ["text", "json", "md"], ["SW_INCR"]),
    ("regs ", ["decode", "encode", "asm", "cortex-a8", "amuv1"], ["PMNC"]),
    ("regs cortex-a8 PMN", ["PMNC"], ["cortex-a8"]),
    ("regs decode cortex-a8 PMN", ["PMNC"], []),
    ("regs decode cortex-a8 PMNC ", [], ["PMNC", "cortex-a8"]),
    ("check L1D_C", ["L1D_CACHE"], []),
    ("check --core cor", ["cortex-a8", "cortex-r4f"], []),
    ("dtb tw", ["twice"], []),
    ("help gu", ["guest"], ["stat"]),
    ("completion ", ["bash", "zsh", "fish"], []),
    ("run --sys", [], ["--sysroot"]),
]

# The same where the value stands behind '='.
EQUALS = [
    ("stat --mode=h", ["hw"]),
    ("stat --machine=pxa25", ["pxa255"]),
    ("stat --event=cycles,L1D_C", ["cycles,L1D_CACHE"]),
    ("run --trace-regs=tw", ["twice"]),
]

BASH = """
source "$1" || exit 1
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_armpmu "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def split_equals(words):
    """As bash does, '=' is a word."""
    for word in words:
        name, equals, value = word.partition("=") if word.startswith("--") else (word, "", "")
        yield name
        yield from [equals, value] if equals else []


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.holder.name)
        for name in ("once", "twice", "two words"):
            (cls.folder / name).touch()
        cls.scripts = {}
        for shell in ("bash", "zsh", "fish"):
            cls.scripts[shell] = cls.folder / f"script.{shell}"
            text = subprocess.run([ARMPMU, "completion", shell], capture_output=True, check=True).stdout
            cls.scripts[shell].write_bytes(text)
        cls.environment = os.environ | {"ARMPMU_MACHINE_PATH": MACHINES, "HOME": cls.holder.name}
        cls.environment.pop("ARMPMU_MACHINE", None)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def shell(self, *words):
        if shutil.which(words[0]) is None:
            self.skipTest(f"{words[0]} is not installed")
        return subprocess.run(words, cwd=self.folder, env=self.environment, capture_output=True,
                              text=True, check=False)

    def bash(self, text):
        run = self.shell("bash", "--norc", "-c", BASH, "bash", self.scripts["bash"], ARMPMU,
                         *split_equals(text.split(" ")))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return run.stdout.splitlines()

    def fish(self, text):
        run = self.shell("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]",
                         self.scripts["fish"], f"{ARMPMU} {text}")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        return [line.partition("\t")[0].replace("\\ ", " ") for line in run.stdout.splitlines()]

    def check_offers(self, offers):
        for text, wanted, unwanted in CASES:
            with self.subTest(text):
                offered = offers(text)
                self.assertEqual(set(wanted) - set(offered), set())
                self.assertEqual(set(unwanted) & set(offered), set())

    def test_bash_offers_what_fits(self):
        self.check_offers(self.bash)
        for text, wanted in EQUALS:
            with self.subTest(text):
                self.assertEqual(set(wanted) - set(self.bash(text)), set())

    def test_fish_offers_what_fits(self):
        self.check_offers(self.fish)
        for text, wanted in EQUALS:
            with self.subTest(text):
                option = text.split()[1].partition("=")[0]
                self.assertEqual({f"{option}={word}" for word in wanted} - set(self.fish(text)), set())

    def test_each_shell_reads_its_script(self):
        for shell, script in self.scripts.items():
            with self.subTest(shell):
                run = self.shell(shell, "-n", script)
                self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))

    def test_a_wrong_shell_is_refused(self):
        for words, named in (([], ""), (["tcsh"], "tcsh"), (["bash", "zsh"], "zsh")):
            run = subprocess.run([ARMPMU, "completion", *words], capture_output=True, text=True, check=False)
            self.assertEqual((run.returncode, run.stdout, run.stderr), (
                125, "", f"armpmu: completion '{named}': name one shell: bash, zsh or fish\n"))


if __name__ == "__main__":
    ARMPMU = os.path.abspath(sys.argv.pop(1))
    MACHINES = os.path.abspath(sys.argv.pop(1))
    unittest.main()
