"""The manual page is one that man(1) takes, and names every command and exit status.

usage: manual.py ARMPMU
"""

import re
import shutil
import subprocess
import sys
import unittest


def armpmu(*words):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False)


class Manual(unittest.TestCase):
    def test_its_macros_are_right(self):
        """It has no date: one would differ from build to build."""
        if shutil.which("mandoc") is None:
            self.skipTest("mandoc is not installed")
        lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=armpmu("help", "--man").stdout,
                              capture_output=True, text=True, check=False)
        found = [line for line in lint.stdout.splitlines() if "missing date" not in line]
        self.assertEqual((found, lint.stderr), ([], ""))

    def test_a_wrong_macro_would_be_seen(self):
        if shutil.which("mandoc") is None:
            self.skipTest("mandoc is not installed")
        lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning"], input=".TH A 1\n.SH NAME\n.NOSUCH\n",
                              capture_output=True, text=True, check=False)
        self.assertIn("NOSUCH", lint.stdout)

    def test_each_command_has_a_section(self):
        named = re.findall(r"^  (\w+) {2,}\w", armpmu("help").stdout, re.MULTILINE)
        self.assertEqual(re.findall(r"^\.SS armpmu (\w+)$", armpmu("help", "--man").stdout, re.MULTILINE),
                         named)
        self.assertGreater(len(named), 7)

    def test_texts_are_those_of_help(self):
        """Words in the order of --help, whatever the layout."""
        page = armpmu("help", "--man").stdout
        for escaped, plain in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ti", "~"), (r"\(ha", "^"), (r"\(ga", "`"),
                               (r"\e", "\\"), (r"\&", "")):
            page = page.replace(escaped, plain)
        page = re.sub(r"(?m)^\.(PP|nf|fi|br|TP)$|\\f[BRI]", "", page)
        page = " ".join(page.split())
        for command in ("stat", "guest", "run", "regs", "dtb"):
            paragraphs = armpmu("help", command).stdout.split("\n\n")
            for paragraph in (paragraphs[1], paragraphs[-1]):
                with self.subTest(command, paragraph=paragraph):
                    self.assertIn(" ".join(paragraph.split()), page)

    def test_it_is_of_all_commands(self):
        answer = armpmu("help", "--man", "stat")
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr), (
            125, "", "armpmu: help: --man prints the page of all commands; leave out 'stat'\n"))


if __name__ == "__main__":
    ARMPMU = sys.argv.pop(1)
    unittest.main()
