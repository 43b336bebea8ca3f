"""No row of any report is wider than the terminal, with names of C++ that are longer; and names are whole in a pipe.

usage: widths.py ARMPMU COMPILER SOURCE

Titles may be wider: they have the command line as it was typed.
"""

import fcntl
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest
from pathlib import Path

from terminal import shown_on

ARMPMU, COMPILER, SOURCE = (str(Path(sys.argv.pop(1)).resolve()), sys.argv.pop(1), Path(sys.argv.pop(1)).resolve())
PAINT = re.compile(r"\x1b\[[0-9;]*m")
TITLE = re.compile(" armpmu |armpmu: | Counts for ")
LONG = "telemetry::processing::pipeline::OrderedAggregationStage<std::__cxx11::basic_string<char, std::char_traits<char>"
REPORTS = """
report -i run.data
report -i run.data -e cycles,instructions,L1D_CACHE_REFILL
report -i run.data -s insn --percent-limit 1
report -i run.data -s thread,symbol,object,line --percent-limit 1
report -i run.data -g --children --percent-limit 2
report -i run.data -G
report -i run.data --topdown --percent-limit 1
report -i run.data --mem --percent-limit 1
report -i run.data --by-data --percent-limit 1
report -i run.data --members --percent-limit 1
report -i run.data -s object,line --percent-limit 1
report -i run.data --c2c
annotate -i run.data
annotate -i run.data --data-type --percent-limit 1
diff run.data other.data
diff run.json other.json
trend history
stat ./prog
stat -e all ./prog
stat -M all ./prog
stat --topdown ./prog
stat --per-thread ./prog
stat --per-process ./prog
stat -I 1 ./prog
stat --layouts 2 ./prog
stat --baseline run.json --fail-above cycles=1 ./prog
sweep --set l1d.size_kb=32,64 --set l2.size_kb=256,512 ./prog
whatif ./prog
whatif --by data --places 3 ./prog
explain ./prog main
list
list -v
list metric -v
list machine
list machine -v cortex-a72
list core
list core -v
regs cortex-a8
regs cortex-a8 PMNC
regs decode cortex-a8 PMNC 0x41
doctor
help
""".strip().splitlines()


class Widths(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = Path(cls.temporary.name)
        cls.environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"} | {
            "ARMPMU_PAGER": "cat", "ARMPMU_MACHINE": "cortex-a72"}
        for option, name in (("-O2", "prog"), ("-O1", "other")):
            subprocess.run([COMPILER, option, "-g", "-static", SOURCE, "-o", cls.folder / name], check=True)
        for words in (["record", "-q", "-g", "--mem", "--machine", "raspberrypi4", "-o", "run.data", "./prog"], ["record", "-q", "-g", "-o", "other.data", "./other"],
                      ["stat", "--json=1", "-o", "run.json", "./prog"], ["stat", "--json=1", "-o", "other.json", "./other"],
                      ["trend", "--add", "run.json", "--revision", "f00d", "--date", "2026-01-01T00:00:00Z", "history"]):
            cls.in_pipe(words)

    @classmethod
    def in_pipe(cls, words):
        return subprocess.run([ARMPMU, *words], cwd=cls.folder, env=cls.environment, check=True, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE).stdout

    def on_terminal(self, words, columns):
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        with subprocess.Popen([ARMPMU, *words], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=slave,
                              stderr=slave) as process:
            shown = shown_on(master, slave, process)
        os.close(master)
        self.assertIn(process.returncode, (0, 3), shown)
        return PAINT.sub("", shown.decode()).replace("\r\n", "\n")

    def test_rows_fit_the_terminal(self):
        for report in REPORTS:
            for columns in (80, 120):
                with self.subTest(report, columns=columns):
                    rows = [line.split("\r")[-1] for line in self.on_terminal(report.split(), columns).split("\n")]
                    self.assertGreater(len(rows), 3)
                    self.assertEqual([row for row in rows if len(row) > columns and not TITLE.match(row)], [])

    def test_help_fits_the_terminal(self):
        commands = re.findall(r"^  ([a-z]+)", self.in_pipe(["help"]), re.M)
        self.assertGreater(len(commands), 15)
        for command in commands:
            text, narrow = self.in_pipe(["help", command]), self.on_terminal(["help", command], 80)
            self.assertEqual([row for row in narrow.split("\n") if len(row) > 80], [], command)
            self.assertEqual(narrow.split(), text.split(), command)

    def test_lines_keep_their_numbers(self):
        places = [row.split()[-1] for row in self.on_terminal("report -i run.data -s symbol,line --percent-limit 1".split(), 80).split("\n") if "[unknown]" not in row and " % " in row]
        self.assertGreater(len(places), 3)
        self.assertEqual([place for place in places if not re.search(r"\.[a-z]+:\d+$", place)], [])

    def test_names_are_whole_in_a_pipe(self):
        for report in "report -i run.data", "report -i run.data --mem", "diff run.data other.data":
            self.assertIn(LONG, self.in_pipe(report.split()))
            shown = self.on_terminal(report.split(), 80)
            self.assertNotIn(LONG, shown)
            self.assertIn("::accumulate(", shown)


if __name__ == "__main__":
    unittest.main()
