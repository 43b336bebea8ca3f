"""Runs every command of a page and compares what it prints with the page.

usage: examples.py SOURCES ARMPMU docs/examples.md|docs/tutorial.md

A program that the page itself has is there, and its cure, which exchanges two lines. The lines of the page are there, in order; '...' stands for lines that are left out. Words are the same; numbers may
differ by an eighth, since libraries do. A compiler of another version than the page's makes other code: with that, each
command has to succeed and to print something.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

SOURCES, ARMPMU, PAGE = Path(sys.argv.pop(1)).resolve(), Path(sys.argv.pop(1)).resolve(), sys.argv.pop(1)
ANSWERS = {"docs/examples.md": 2, "docs/tutorial.md": 1}[PAGE]  # that each section has at least
ADDRESS = re.compile(r"\b[0-9a-f]{5,6}(?=  )|0x[0-9a-f]+")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
COMPILERS = "arm-linux-gnueabihf-gcc", "aarch64-linux-gnu-gcc"
TOLERANCE = 0.125
COMPILER = "12"  # of the page, GCC's version
SMALL = 20  # counts up to here may differ by as much


def sessions(page):
    """(title, [(command, lines of its answer)]) of each section; the first one has what comes before it."""
    head, *sections = page.split("\n## ")
    for i, section in enumerate(sections):
        commands = []
        for line in (head.splitlines() if i == 0 else []) + section.splitlines():
            if line.startswith("    $ "):
                commands.append((line[6:], []))
            elif line.startswith("    ") and commands:
                commands[-1][1].append(line.strip())
        yield section.splitlines()[0], commands


def write_programs(page, folder):
    """slow.c as the page has it, and fast.c with the two lines of the cure."""
    blocks = re.findall(r"(?m)(?:^    .*\n(?:\n(?=    ))?)+", page)
    program = next((block for block in blocks if block.startswith("    #include")), None)
    if program is None:
        return
    slow = textwrap.dedent(program.split("\n    $ ")[0] + "\n")
    outer, inner = next(block for block in blocks if block.lstrip().startswith("for (")).split("\n")[:2]
    outer, inner = outer.strip(), inner.strip()
    fast, n = re.subn(re.escape(inner) + r"(\s+)" + re.escape(outer), lambda found: outer + found[1] + inner, slow)
    assert n == 1, (outer, inner)
    for name, text in (("slow.c", slow), ("fast.c", fast)):
        (folder / name).write_text(text, encoding="ascii")


def number(text):
    return float(text.replace(",", ""))


def is_like(printed, wanted):
    """Whether two lines have the same words, and numbers that are close. Addresses may be any."""
    printed, wanted = ADDRESS.sub("ADDRESS", printed), ADDRESS.sub("ADDRESS", wanted)
    if NUMBER.sub("0", printed).split() != NUMBER.sub("0", wanted).split():
        return False
    pairs = zip(NUMBER.findall(printed), NUMBER.findall(wanted))
    return all(abs(number(a) - number(b)) <= max(TOLERANCE * abs(number(b)), SMALL * (abs(number(b)) <= SMALL)) for a, b in pairs)


def first_missing(printed, wanted):
    """The first wanted line that is not among those printed after the one before it; None if all are."""
    rest = iter(printed)
    for line in wanted:
        if line != "..." and not any(is_like(other, line) for other in rest):
            return line
    return None


class Page(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        (Path(self.folder.name) / "examples").symlink_to(SOURCES / "examples")

    def run_it(self, command):
        environment = {**os.environ, "PATH": f"{ARMPMU.parent}:{os.environ['PATH']}", "COLUMNS": "100"}
        environment.pop("MALLOC_PERTURB_", None)  # the program's C library would fill its memory, too
        done = subprocess.run(["sh", "-c", command], cwd=self.folder.name, env=environment, text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}")
        return done.stdout

    def test_commands_print_what_the_page_has(self):
        page = (SOURCES / PAGE).read_text(encoding="utf-8")
        found = list(sessions(page))
        write_programs(page, Path(self.folder.name))
        if "examples/gallery/" in page:
            self.assertEqual(len(found), len(list((SOURCES / "examples/gallery").glob("*.c"))))
        others = {self.run_it(f"{compiler} -dumpversion").strip() for compiler in COMPILERS} - {COMPILER}
        for title, commands in found:
            with self.subTest(title):
                self.assertGreaterEqual(sum(len(lines) > 0 for _, lines in commands), ANSWERS)
                for command, lines in commands:
                    printed = self.run_it(command)
                    if " slow.c " in command:
                        self.run_it(command.replace("slow", "fast"))
                    if others:
                        self.assertTrue(printed.strip() or not lines, command)
                        continue
                    self.assertIsNone(first_missing([line.strip() for line in printed.splitlines()], lines),
                                      f"not printed by '{command}':\n{printed}")

    def test_other_answers_are_refused(self):
        self.assertIsNone(first_missing(["a 105 b", "", "c"], ["a 100 b", "...", "c"]))
        self.assertIsNone(first_missing(["1 104d8  add r1, #0x10"], ["1 104ee  add r1, #0x20"]))
        self.assertEqual(first_missing(["a 150 b"], ["a 100 b"]), "a 100 b")
        self.assertEqual(first_missing(["a 100 c"], ["a 100 b"]), "a 100 b")
        self.assertEqual(first_missing(["c", "b"], ["b", "c"]), "c")


if __name__ == "__main__":
    for compiler in COMPILERS:
        if shutil.which(compiler) is None:
            print(f"{compiler} is not installed")
            sys.exit(77)
    unittest.main()
