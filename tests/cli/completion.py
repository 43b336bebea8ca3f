"""Completion in bash, zsh and fish: each shell reads its script and completes with it.

usage: completion.py ARMPMU MACHINES

A shell that is not installed is left out, and said.
"""

import os
import pty
import re
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
    ("list --format ", ["text", "csv", "json", "md"], ["SW_INCR"]),
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

# Of an interactive zsh, whose completion needs a terminal: what it would add for each line of a file.
ZSHRC = r"""
fpath=($PWD/functions $fpath)
autoload -Uz compinit
compinit -u -d $PWD/dump
compadd() {
    local -a offered
    if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
        builtin compadd -A offered "$@"
        printf '%s\n' $IPREFIX${^${(Q)offered}} >>$PWD/offers
    fi
    builtin compadd "$@"
}
add_nothing() { compstate[insert]= compstate[list]= }
zle-line-init() {
    local line
    while IFS= read -r line; do
        print -r -- "= $line" >>$PWD/offers
        BUFFER="$ARMPMU $line" CURSOR=$#BUFFER
        comppostfuncs=(add_nothing)
        zle complete-word
    done <$PWD/lines
    exit 0
}
zle -N zle-line-init
"""


def read_terminal(fd):
    """All that is written to it, until nobody has it open."""
    text = b""
    while True:
        try:
            read = os.read(fd, 4096)
        except OSError:  # as Linux says it
            return text.decode()
        if not read:
            return text.decode()
        text += read


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

    def zsh(self, lines):
        """What is offered for each line; complaints of zsh."""
        if shutil.which("zsh") is None:
            self.skipTest("zsh is not installed")
        (self.folder / "functions").mkdir()
        shutil.copy(self.scripts["zsh"], self.folder / "functions/_armpmu")
        (self.folder / ".zshrc").write_text(ZSHRC)
        (self.folder / "lines").write_text("".join(line + "\n" for line in lines))
        master, terminal = pty.openpty()
        environment = self.environment | {"ZDOTDIR": str(self.folder), "ARMPMU": ARMPMU, "TERM": "dumb"}
        with subprocess.Popen(["zsh", "-i", "--no-global-rcs"], cwd=self.folder, env=environment, stdin=terminal,
                              stdout=terminal, stderr=terminal, start_new_session=True):
            os.close(terminal)
            written = read_terminal(master)
        os.close(master)
        offers = {}
        for line in (self.folder / "offers").read_text().splitlines():
            if line.startswith("= "):
                offers[line[2:]] = offered = []
                brace = re.search(r"\{.*,|$", line)[0]  # which zsh puts in front by itself
            else:
                offered.append(brace + line)
        return offers, [line for line in written.splitlines() if line.startswith("_")]

    def test_zsh_offers_what_fits(self):
        lines = [text for text, *_ in CASES + EQUALS]
        offers, complaints = self.zsh(lines)
        self.assertEqual((complaints, list(offers)), ([], lines))
        self.check_offers(offers.get)
        for text, wanted in EQUALS:
            with self.subTest(text):
                option = text.split()[1].partition("=")[0]
                self.assertEqual({f"{option}={word}" for word in wanted} - set(offers[text]), set())

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
