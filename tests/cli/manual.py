"""The manual pages are ones that man(1) takes: those of the commands have the texts of --help, those of the headers
name every function.

usage: manual.py ARMPMU SOURCES
"""

import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path


def armpmu(*words):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False)


def commands():
    return re.findall(r"^  (\w+) {2,}\w", armpmu("help").stdout, re.MULTILINE)


def library_page(*headers):
    return subprocess.run([sys.executable, "-B", SOURCES / "scripts/library_pages.py", "1.2.3", *headers],
                          capture_output=True, text=True, check=True).stdout


def pages():
    """Name and text of each."""
    headers = sorted((SOURCES / "include/armpmu").glob("*.h"))
    yield "armpmu", armpmu("help", "--man").stdout
    for name in commands():
        yield name, armpmu("help", "--man", name).stdout
    yield "libarmpmu", library_page(*headers)
    for header in headers:
        yield header.name, library_page(header)


def plain(page):
    """Words in their order, whatever the layout."""
    for escaped, character in ((r"\-", "-"), (r"\(aq", "'"), (r"\(ti", "~"), (r"\(ha", "^"), (r"\(ga", "`"),
                               (r"\e", "\\"), (r"\&", "")):
        page = page.replace(escaped, character)
    return " ".join(re.sub(r"(?m)^\.(PP|nf|fi|br|TP|SS|SH)$|\\f[BRI]", "", page).split())


class Manual(unittest.TestCase):
    def complaints(self, *words):
        """Of a formatter about each page, one that is wrong at the end."""
        if shutil.which(words[0]) is None:
            self.skipTest(f"{words[0]} is not installed")
        for name, page in [*pages(), ("wrong", ".TH A 1 x\n.SH NAME\na \\- b\n.NOSUCH\n")]:
            run = subprocess.run(words, input=page, capture_output=True, text=True, check=False)
            yield name, [line for line in (run.stdout + run.stderr).splitlines() if "missing date" not in line]

    def check_none(self, complaints):
        found = dict(complaints)
        self.assertIn("NOSUCH", " ".join(found.pop("wrong")))
        self.assertEqual({name: lines for name, lines in found.items() if lines}, {})
        self.assertGreater(len(found), 25)

    def test_mandoc_takes_them(self):
        """They have no date: one would differ from build to build."""
        self.check_none(self.complaints("mandoc", "-Tlint", "-Wwarning"))

    def test_groff_takes_them(self):
        self.check_none(self.complaints("groff", "-man", "-ww", "-z", "-Tutf8"))

    def test_the_front_page_names_each_command(self):
        named = re.findall(r"^\.BR armpmu\\-(\w+) \(1\)$", armpmu("help", "--man").stdout, re.MULTILINE)
        self.assertEqual(named, commands())

    def test_texts_are_those_of_help(self):
        for command in commands():
            page = plain(armpmu("help", "--man", command).stdout)
            paragraphs = armpmu("help", command).stdout.partition("\nExit status:\n")[0].split("\n\n")
            options = re.findall(r"^ {2,6}(?:-\w, )?--(?:\[no-\])?([\w-]+)", "\n".join(paragraphs[1:]), re.MULTILINE)
            self.assertIn("help", options)
            for text in (*(re.split(r"(?m)^ {2,6}-", paragraphs[i])[0] for i in (1, -1)),
                         *(f"--{name}" for name in options)):
                with self.subTest(command, text=text):
                    self.assertIn(" ".join(text.split()), page)

    def test_help_manual_and_documents_name_the_same_exit_statuses(self):
        rows = re.findall(r'^EXIT_CODE\(\w+, (\d+), "([^"]+)", "([^"]+)"\)',
                          (SOURCES / "src/cli/exit_codes.def").read_text(encoding="utf-8"), re.MULTILINE)
        meanings = {text: meaning for _, text, meaning in rows}
        of = {}
        for name in commands():
            told = armpmu("help", name).stdout.partition("\nExit status:\n")[2]
            of[name] = dict(re.findall(r"^  (its own|\S+) +(.*)$", told, re.MULTILINE))
            self.assertIn("125", of[name], name)
            page = plain(armpmu("help", "--man", name).stdout.partition(".SH EXIT STATUS\n")[2])
            for text, meaning in of[name].items():
                self.assertEqual(meaning, meanings.get(text, meaning))
                self.assertIn(plain(meaning), page, name)
        self.assertEqual(list(of["stat"]), ["its own", "3", "123", "124", "125", "126", "127", "128+N"])
        front = plain(armpmu("help", "--man").stdout.partition(".SH EXIT STATUS\n")[2])
        for meaning in meanings.values():
            self.assertIn(plain(meaning), front)
        table = (SOURCES / "docs/stat.md").read_text(encoding="utf-8").partition("## Exit status\n")[2]
        documented = re.findall(r"^\| (\d[^|]*) \|", table, re.MULTILINE)
        self.assertEqual({word.replace(" ", "") for word in documented}, set(of["stat"]) - {"its own"})

    def test_an_unknown_command_has_none(self):
        answer = armpmu("help", "--man", "stad")
        self.assertEqual((answer.returncode, answer.stdout), (125, ""))
        self.assertIn("'stad' is not a command", answer.stderr)

    def test_headers_name_every_function(self):
        """By another way than the page's: the prefix before a parenthesis, in what the compiler sees. Older names, which C++ does
        not have, are not on it."""
        for header in sorted((SOURCES / "include/armpmu").glob("*.h")):
            text = subprocess.run(["cc", "-E", "-P", "-DARMPMU_API=__export__", "-D__cplusplus", f"-I{SOURCES}/include", header],
                                  capture_output=True, text=True, check=True).stdout
            text = text.replace("__attribute__((warn_unused_result))", "")
            own = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
            functions = {name for name in re.findall(r"(?:__export__|static inline)[^;{(]*?\b(armpmu_\w+)\(", text)
                         if re.search(rf"\b{name}\(", own)}
            named = re.search(r"^\.SH NAME\n(.*) \\- ", library_page(header), re.MULTILINE)[1].split(", ")
            with self.subTest(header.name):
                self.assertEqual(set(named[1:]), functions)
                self.assertEqual(named[0], f"armpmu_{header.name}")

    def test_headers_show_enumerators_of_tables(self):
        page = plain(library_page(SOURCES / "include/armpmu/pmu.h"))
        self.assertIn("ARMPMU_PIN_DBGEN, /* invasive debug is permitted */", page)
        self.assertIn("enum armpmu_outcome armpmu_read(struct armpmu *pmu, struct armpmu_encoding at, uint64_t *value);",
                      page)
        self.assertNotIn("ARMPMU_API", page)


if __name__ == "__main__":
    ARMPMU = sys.argv.pop(1)
    SOURCES = Path(sys.argv.pop(1))
    unittest.main()
