"""Every command with a report prints it in all formats, to standard output and to files.

usage: formats.py ARMPMU SAMPLE_FILE MACHINES PROGRAM

SAMPLE_FILE: writes a profile. PROGRAM: for Arm Linux.
"""

import csv
import fcntl
import io
import json
import os
import pty
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path


class Formats(unittest.TestCase):
    kept = {}  # what a command printed, by its words

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="armpmu-formats-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = Path(cls.scratch.name)
        profile, other, trace = (str(cls.folder / name) for name in ("profile", "other", "trace"))
        subprocess.run([SAMPLE_FILE, profile], check=True)
        subprocess.run([SAMPLE_FILE, other], check=True)
        subprocess.run(["sqlite3", other, "DELETE FROM meta WHERE key = 'checksum'; UPDATE tally SET n = n + 1 WHERE event = 0;"
                        "UPDATE total SET n = (SELECT sum(n) FROM count WHERE event = total.event)"], check=True)
        subprocess.run([ARMPMU, "record", "-q", "--trace", trace, "--", PROGRAM], capture_output=True, check=True)
        cls.reports = [
            *(["list", kind, "--core", "cortex-r4f"] for kind in
              ("event", "reg", "metric", "signal", "pin", "output", "machine", "core")),
            ["regs", "neoverse-n1"], ["regs", "cortex-a8", "PMNC"], ["regs", "decode", "cortex-a8", "PMNC", "0x41002fff"],
            ["regs", "asm", "amuv1", "AMEVTYPER02"], ["check", "--core", "cortex-a8", "0x5A", "PMUEXTIN0"],
            ["explain", PROGRAM], ["diff", profile, other], ["report", "-i", profile],
            ["report", "-i", profile, "-s", "line,insn,thread", "-e", "all"], ["annotate", "-i", profile],
            ["sweep", "--replay", trace, "--set", "l2.size_kb=128,256", "--machine", "cortex-a8"], ["doctor"]]

    def armpmu(self, *words):
        return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False, cwd=self.folder,
                              env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES}, stdin=subprocess.DEVNULL)

    def kept_output(self, *words):
        if words not in self.kept:
            self.kept[words] = self.output(*words)
        return self.kept[words]

    def output(self, *words):
        """A sweep's report is on standard error: its program has the other."""
        run = self.armpmu(*words)
        self.assertIn(run.returncode, (0, 1), run)  # 1: check and doctor
        self.assertEqual(run.stdout if words[0] == "sweep" else run.stderr, "")
        return run.stderr if words[0] == "sweep" else run.stdout

    def test_a_document_has_what_the_lines_have(self):
        for words in self.reports:
            with self.subTest(words[:3]):
                lines = [json.loads(line) for line in self.kept_output(*words, "-j").splitlines()]
                document = json.loads(self.kept_output(*words, "-j=1"))
                self.assertEqual(document, json.loads(self.kept_output(*words, "--json=1")))
                self.assertIn(document["schema"], ("armpmu-" + words[0], "armpmu-regs"))
                self.assertEqual(document["schema-version"], 1)
                rows, = (member for member in document.values() if isinstance(member, list))
                self.assertEqual([{**line, **row} for line, row in zip(lines, rows, strict=True)], lines)
                self.assertTrue(lines)

    def test_separated_values_have_as_many_fields_in_each_row(self):
        for words in self.reports:
            with self.subTest(words[:3]):
                rows = list(csv.reader(io.StringIO(self.kept_output(*words, "-x,"))))
                self.assertGreater(len(rows), 1)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})
                for separator in (";", "::", "\\t"):
                    self.assertEqual(self.kept_output(*words, "-x", separator).splitlines()[0],
                                     separator.replace("\\t", "\t").join(rows[0]))
                self.assertEqual(self.kept_output(*words, "-x,"), self.kept_output(*words, "--format=csv"))

    def test_markdown_has_as_many_cells_in_each_row(self):
        """Of list, regs and check it is a page of the docs."""
        for words in (words for words in self.reports if words[0] not in ("list", "regs", "check")):
            with self.subTest(words[:3]):
                tables = [[]]
                for line in self.kept_output(*words, "--format=md").splitlines():
                    if line.startswith("|"):
                        tables[-1].append(line.replace("\\|", "").count("|"))
                    elif tables[-1]:
                        tables.append([])
                for table in filter(None, tables):
                    self.assertEqual(set(table), {table[0]})
                self.assertGreater(sum(map(len, tables)), 2)

    def test_a_file_gets_the_same_text(self):
        for words in self.reports:
            with self.subTest(words[:3]):
                for how in ([], ["-j"], ["-x,"]):
                    text = self.kept_output(*words, *how)
                    self.assertEqual(self.output(*words, *how, "-o", "file"), "")
                    self.assertEqual((self.folder / "file").read_text(), text)
                    self.assertEqual(self.output(*words, *how, "--append", "-o", "file"), "")
                    self.assertEqual((self.folder / "file").read_text(), 2 * text)

    def test_a_file_that_cannot_be_written_is_said(self):
        for words in self.reports:
            with self.subTest(words[:3]):
                for file, cause in (("/dev/full", "No space left on device"),
                                    ("/nowhere/file", "No such file or directory")):
                    run = self.armpmu(*words, "-j", "-o", file)
                    self.assertEqual((run.returncode, run.stdout), (125, ""))
                    self.assertRegex(run.stderr, rf"armpmu: cannot write {file}: {cause}; .*choose another file with -o\n$")

    def test_an_error_leaves_the_old_file(self):
        (self.folder / "old").write_text("old")
        for words in (["list", "no_such_event"], ["regs", "cortex-a8", "no_such"], ["report", "-i", "/dev/null"],
                      ["explain", "/dev/null"], ["diff", "/dev/null", "/dev/null"],
                      ["sweep", "--machine", "no_such", PROGRAM]):
            self.assertEqual(self.armpmu(*words, "-o", "old").returncode, 125)
            self.assertEqual((self.folder / "old").read_text(), "old")

    def test_colours_are_for_terminals(self):
        for words in self.reports:
            with self.subTest(words[:3]):
                self.assertNotIn("\033", self.kept_output(*words))
                self.output(*words, "-o", "file", "--color=always")
                self.assertEqual("\033" in (self.folder / "file").read_text(),
                                 "\033" in self.kept_output(*words, "--color=always"))
                self.assertNotIn("\033", self.kept_output(*words, "-j", "--color=always"))

    def test_a_file_does_not_depend_on_the_terminal(self):
        words = ["list", "-v", "--core", "cortex-a8", "L1D_*"]
        master, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
        subprocess.run([ARMPMU, *words, "-o", self.folder / "file"], stdout=terminal, check=True)
        os.close(terminal)
        os.close(master)
        self.assertEqual((self.folder / "file").read_text(), self.output(*words))

    def test_two_formats_are_refused(self):
        for words in self.reports:
            with self.subTest(words[:3]):
                run = self.armpmu(*words, "-j", "-x,")
                self.assertEqual((run.returncode, run.stderr), (125, "armpmu: -j and -x are two formats; choose one\n"))
                run = self.armpmu(*words, "-j=2")
                self.assertEqual((run.returncode, run.stderr),
                                 (125, "armpmu: -j '2': the only version is 1; without a value, -j prints an object a line\n"))


if __name__ == "__main__":
    ARMPMU, SAMPLE_FILE, MACHINES, PROGRAM = (str(Path(word).resolve()) for word in sys.argv[1:5])
    unittest.main(argv=sys.argv[:1])
