"""Every option of the tables is taken by its command, and in help, completion and its manual page; no
command takes one that is not in a table.

usage: options.py ARMPMU OPTION_NAMES SOURCE_ROOT
"""

import re
import subprocess
import sys
import unittest
from collections import namedtuple
from pathlib import Path

Option = namedtuple("Option", "command told_by letter name other behind negated value")

# Values that are right, where a table cannot say one.
VALUES = {"interval": "10", "json": "1", "delay": "10", "timeout": "1", "ram": "0x1000:4K", "load": "0", "irq": "none", "amu": "enabled",
          "frame": "4096", "sort": "line", "percent-limit": "0.5",
          "call-graph": "dwarf", "freq": "99", "count": "1000"}


def run(*words):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL)


def read_options():
    lines = subprocess.run([NAMES], capture_output=True, text=True, check=True).stdout.splitlines()
    return [Option(*line.split()) for line in lines]


class Options(unittest.TestCase):
    def test_there_are_options_of_every_command(self):
        named = re.findall(r"^  (\w+) {2,}\w", run("help").stdout, re.MULTILINE)
        self.assertEqual({"-", *named}, {option.command for option in OPTIONS})
        self.assertGreater(len(OPTIONS), 70)

    def test_each_is_taken(self):
        """Behind it stands --help, so that nothing is run."""
        for option in OPTIONS:
            front = [] if option.command == "-" else [option.command]
            value = option.value if option.value != "-" else VALUES.get(option.name, "x")
            spellings = ["--" + name for name in (option.name, option.other) if name != "-"]
            if option.behind == "-":
                words = [[spelling] for spelling in spellings]
            else:
                words = [[f"{spelling}={value}"] for spelling in spellings]
            if option.behind == "value":
                words += [[spelling, value] for spelling in spellings]
            if option.behind == "optional":
                words += [[spelling] for spelling in spellings]
            if option.negated == "negated":
                words += [["--no-" + option.name]]
            if option.letter != "-":
                words += [["-" + option.letter, value], ["-" + option.letter + value]] \
                    if option.behind == "value" else [["-" + option.letter]]
            for given in words:
                with self.subTest(option.command, words=given):
                    answer = run(*front, *given, "--help")
                    self.assertEqual((answer.returncode, answer.stderr), (0, ""))

    def test_each_is_in_help(self):
        for option in OPTIONS:
            with self.subTest(option):
                told_by = [] if option.told_by == "-" else [option.told_by]
                letter = "   " if option.letter == "-" else f"-{option.letter},"
                no = r"\[no-\]" if option.negated == "negated" else ""
                self.assertRegex(run("help", *told_by).stdout,
                                 rf"(?m)^  {letter} --{no}{option.name}[ \[]")

    def test_each_is_offered_by_completion(self):
        """What the scripts of all shells ask (tests/cli/completion.py runs these)."""
        offered = {}
        for option in OPTIONS:
            words = [] if option.command == "-" else [option.command]
            if option.command not in offered:
                lines = run("completion", "line", "--", *words, "-").stdout.splitlines()
                offered[option.command] = {line.partition("\t")[0] for line in lines}
            names = ["--" + option.name]
            names += ["-" + option.letter] if option.letter != "-" else []
            names += ["--no-" + option.name] if option.negated == "negated" else []
            for name in names:
                with self.subTest(option.command, name=name):
                    self.assertIn(name, offered[option.command])

    def test_each_is_in_its_manual_page(self):
        pages = {}
        for option in OPTIONS:
            told_by = [] if option.told_by == "-" else [option.told_by]
            if option.told_by not in pages:
                pages[option.told_by] = run("help", "--man", *told_by).stdout.replace("\\-", "-")
            section = pages[option.told_by].partition(".SH OPTIONS\n")[2].partition("\n.SH ")[0]
            names = ["-" + option.letter, "--" + option.name]
            names += ["--" + option.other] if option.other != "-" else []
            names += ["--no-" + option.name] if option.negated == "negated" else []
            for name in names:
                with self.subTest(option, name=name):
                    self.assertTrue(name == "--" or rf"\fB{name}\fR" in section)

    def test_no_other_is_taken(self):
        for command in {option.command for option in OPTIONS} - {"-"}:
            mine = {option.letter for option in OPTIONS if option.command == command}
            for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789":
                if letter not in mine:
                    with self.subTest(command, letter=letter):
                        answer = run(command, f"-{letter}", "--help")
                        self.assertEqual(answer.returncode, 125)
                        self.assertIn(f"{command}: unknown option -{letter};", answer.stderr)

    def test_commands_never_see_the_command_line(self):
        """It is read in one place: no file of a command has argc, or calls getopt."""
        files = sorted(Path(ROOT, "src/cli").rglob("*.[ch]"))
        self.assertGreater(len(files), 40)
        for file in files:
            if file.name in ("main.c", "commands.c", "commands.h", "options.c", "options.h"):
                continue
            with self.subTest(file.name):
                self.assertNotRegex(file.read_text(encoding="utf-8"), r"\bargc\b|\bgetopt")


if __name__ == "__main__":
    ARMPMU, NAMES, ROOT = sys.argv[1:4]
    OPTIONS = read_options()
    unittest.main(argv=sys.argv[:1])
