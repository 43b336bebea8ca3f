"""armpmu calibrate --compare: counts that perf printed on a board beside those of the model.

usage: silicon.py ARMPMU ARM_UNAME

ARM_UNAME is preloaded where armpmu is to take this computer for a board; perf is a script there.
"""

import csv
import io
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARM_UNAME = str(Path(sys.argv.pop(2)).resolve())
ARMPMU = str(Path(sys.argv.pop(1)).resolve())

# 2 instructions, 1000 times 2 of which one is a branch, 2 and the call: 2005.
PROGRAM = """
.global _start
_start: mov x1, #1000
nop
1: subs x1, x1, #1
b.ne 1b
mov x0, #0
mov x8, #93
svc #0
"""

# As perf 6.1 prints on a Cortex-A76: -e 'instructions:u,r21:u,cycles,r08:ppp,L1-dcache-loads:u,task-clock,...'
RECORDED = """# started on Sat Nov 28 12:00:00 2026

# midr: 0x00000000414fd0b1
# kernel: 6.1.21-v8+
# perf: perf version 6.1.20
2005,,instructions:u,900000,100.00,0.80,insn per cycle
,,,,,0.10,stalled cycles per insn
800,,r21:u,299700,33.30,,
100000,,cycles,900000,100.00,,
<not supported>,,stalled-cycles-backend:u,0,100.00,,
<not counted>,,L1-dcache-loads:u,0,0.00,,
0.92,msec,task-clock,920000,100.00,0.900,CPUs utilized
1000,,armv8_cortex_a76/event=0x12,name=branches/u,0.05%,900000,100.00,,
7,,no_such:u,900000,100.00,,
8,,r08:k,900000,100.00,,
0,,r03:u,900000,100.00,,
"""
ROWS = [
    ("INST_RETIRED", "2005", "2005", "1.000", ""),
    ("BR_RETIRED", "800", "1000", "1.250", "off by more than a tenth; silicon counted it for 33.3 % of the run"),
    ("CPU_CYCLES", "100000", None, None, "off by more than a tenth; silicon includes the kernel's"),
    ("STALL_BACKEND", "", None, "", "silicon does not support it"),
    ("L1D_CACHE", "", None, "", "silicon did not count it"),
    ("task-clock", "0.92", "", "", "counted by the kernel, not by the core; silicon includes the kernel's"),
    ("BR_PRED", "1000", "1000", "1.000", ""),
    ("no_such:u", "7", "", "", None),
    ("r08:k", "8", "", "", None),
    ("L1D_CACHE_REFILL", "0", "0", "", ""),
]
HERE = "this should begin with the count of an event in the whole run, as in 'perf stat -x,' without -I, -A and --per-core"
JSON = '{"counter-value" : "2005.000000", "unit" : "", "event" : "instructions:u", "event-runtime" : 9, "pcnt-running" : %s}\n'

# What perf printed, the sentence after the file's name.
WRONG = [
    ("", ":1: the text ends here, without a count of 'perf stat -x,' or 'perf stat -j'"),
    ("# kernel: 6\n\n", ":3: the text ends here, without a count of 'perf stat -x,' or 'perf stat -j'"),
    ("5,,cycles,9,100.00\n     1.001,5,,cycles,9,100.00,,\n", f":2: '     1.001,5,,cycles,9,100.00,,': {HERE}"),
    ("CPU0,5,,cycles,9,100.00,,\n", f":1: 'CPU0,5,,cycles,9,100.00,,': {HERE}"),
    ("-5,,cycles,9,100.00,,\n", f":1: '-5,,cycles,9,100.00,,': {HERE}"),
    ("0x5,,cycles,9,100.00,,\n", f":1: '0x5,,cycles,9,100.00,,': {HERE}"),
    ("5\n", f":1: '5': {HERE}"),
    ("\x1b[2J,,cycles\n", f":1: '\\x1b[2J,,cycles': {HERE}"),
    ("5,,,9,100.00,,\n", ":1: '5,,,9,100.00,,': the third field should name the event of a whole run"),
    *((f"5,,cycles{rest}\n", f":1: '5,,cycles{rest}': the percentage of the run in which the event was counted is missing; "
       "keep all fields that 'perf stat -x,' prints") for rest in ("", ",9", ",9,", ",9,101", ",9,-1", ",9,nan", ",1%,9")),
    ("# midr:\n", ":1: '# midr:': nothing follows the ':'"),
    ("# perf: 1\n# perf: 2\n", ":2: '# perf: 2': this was said before"),
    ("{\n", ":1: '{': this should be a JSON object, as 'perf stat -j' prints on each line"),
    ('{"event" : "x"}\n', ":1: '{\"event\" : \"x\"}': there is no 'event' with a 'counter-value'; 'perf stat -j' prints both"),
    ('{"cpu" : "0", "counter-value" : "5"}\n', ":1: '{\"cpu\" : \"0\", \"counter-value\" : \"5\"}': these are counts of a part of a "
     "run (interval, processor or thread); record totals"),
    (JSON % '"x"', f":1: '{JSON[:47]}': 'pcnt-running' should be a number from 0 to 100"),
    (JSON % "101", f":1: '{JSON[:47]}': 'pcnt-running' should be a number from 0 to 100"),
]

# Words after "armpmu calibrate", the sentence.
REFUSED = [
    (["--compare"], "calibrate: no program to run; 'armpmu help calibrate' shows how to name one"),
    (["--compare=absent", "./program"], "cannot read 'absent': No such file or directory; name a file with the output of 'perf stat -x,'"),
    (["--compare=board.txt", "-e", "cycles", "./program"], "calibrate: the events are those of board.txt; leave -e out"),
    (["--compare=board.txt", "--machine=raspberrypi4", "./program"],
     "calibrate: board.txt is a cortex-a76, the machine raspberrypi4 a cortex-a72; choose another with --machine"),
    (["--compare", "./program"],
     "--compare: this computer is not an Arm board; name a file with perf's output from one: --compare=FILE"),
    (["--compare", "--name=x", "./program"], "calibrate: --name and --base belong to --read; see 'armpmu help calibrate'"),
    (["--core=cortex-a8", "-j"], "calibrate: formats, --machine and -e belong to --compare; see 'armpmu help calibrate'"),
]

# perf on the board: notes the events and the program it is asked for, and counts 10 of each.
PERF = """#!/bin/sh
[ "$1" = --version ] && { echo perf version 6.1.20; exit; }
log=$4 events=$6
shift 7
echo "$events" "$@" >>events
for event in $(echo "$events" | tr , ' '); do echo "10,,$event,9,100.00,,"; done >&"$log"
"""


class Silicon(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = Path(holder.name)
        (cls.folder / "program.S").write_text(PROGRAM, encoding="ascii")
        subprocess.run(["aarch64-linux-gnu-gcc", "-nostdlib", "-static", "program.S", "-o", "program"], cwd=cls.folder, check=True)
        (cls.folder / "board.txt").write_text(RECORDED, encoding="ascii")

    def compare(self, *words, **more):
        environment = {name: value for name, value in os.environ.items() if name != "ARMPMU_MACHINE"}
        return subprocess.run([ARMPMU, "calibrate", *words], capture_output=True, text=True, check=False, cwd=self.folder,
                              env=environment | more)

    def rows(self, text, *words):
        (self.folder / "counts").write_text(text, encoding="latin-1")
        done = self.compare("--compare=counts", "-j", *words, "./program")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_a_recorded_run(self):
        done = self.compare("--compare=board.txt", "-x,", "./program")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        comments = [line for line in done.stdout.splitlines() if line.startswith("#")]
        self.assertEqual(comments[:4], ["# core: cortex-a76", "# midr: 0x00000000414fd0b1", "# kernel: 6.1.21-v8+",
                                        "# perf: perf version 6.1.20"])
        self.assertRegex(comments[5], "^# machine: cortex-a76, settings [0-9a-f]{16}$")
        head, *rows = csv.reader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if not line.startswith("#"))))
        self.assertEqual(head, ["event", "silicon", "model", "ratio", "remark"])
        for row, wanted in zip(rows, ROWS, strict=True):
            with self.subTest(wanted[0]):
                self.assertEqual([a for a, b in zip(row, wanted) if b is not None], [b for b in wanted if b is not None])
        self.assertIn("no_such", rows[7][4])
        self.assertIn("modifier 'k' (kernel mode only) is not available", rows[8][4])

    def test_json_of_perf(self):
        """And other separators of -x."""
        wanted, = self.rows(JSON % "100.00", "--machine=cortex-a76")
        self.assertEqual((wanted["event"], wanted["asked"], wanted["silicon"], wanted["model"], wanted["ratio"], wanted["remark"]),
                         ("INST_RETIRED", "instructions:u", 2005, 2005, 1, ""))
        further = '{"metric-value" : "0.1", "metric-unit" : "x"}\n'
        self.assertEqual(self.rows(JSON % "100.00" + further, "--machine=cortex-a76"), [wanted])
        for separator in ";|\t":
            text = "2005,,instructions:u,9,100.00,,\r\n".replace(",", separator)
            self.assertEqual(self.rows(text, "--machine=cortex-a76"), [wanted])

    def test_an_issue(self):
        done = self.compare("--compare=board.txt", "--format=md", "-o", "issue.md", "./program")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        lines = (self.folder / "issue.md").read_text(encoding="ascii").splitlines()
        self.assertEqual(lines[:4], ["Silicon and model, ./program:", "", "- core: cortex-a76", "- midr: 0x00000000414fd0b1"])
        self.assertIn("| INST_RETIRED | 2005 | 2005 | 1.000 |  |", [line.replace("2,005", "2005") for line in lines])
        document = json.loads(self.compare("--compare=board.txt", "-j=1", "./program").stdout)
        self.assertEqual((document["schema"], document["midr"], document["is-complete"], len(document["counts"])),
                         ("armpmu-calibrate", "0x00000000414fd0b1", True, len(ROWS)))
        text = self.compare("--compare=board.txt", "./program").stdout
        self.assertIn("\n kernel    6.1.21-v8+\n", text)

    def test_what_is_not_known_is_said(self):
        (self.folder / "counts").write_text("2005,,instructions:u,9,100.00,,\n", encoding="ascii")
        done = self.compare("--compare=counts", "-x,", "--machine=cortex-a53", "./program")
        self.assertIn("# midr: not known\n# kernel: not known\n# perf: not known\n", done.stdout)

    def test_wrong_counts(self):
        for text, sentence in WRONG:
            with self.subTest(text):
                (self.folder / "counts").write_text(text, encoding="latin-1")
                done = self.compare("--compare=counts", "./program")
                self.assertEqual((done.returncode, done.stdout, done.stderr), (125, "", f"armpmu: counts{sentence}\n"))

    def test_wrong_words(self):
        for words, sentence in REFUSED:
            with self.subTest(words):
                done = self.compare(*words)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (125, "", f"armpmu: {sentence}\n"))

    def test_a_run_on_the_board(self):
        """As many events in a run of perf as the Cortex-A76 has counters, 6."""
        bin_folder = self.folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "perf").write_text(PERF, encoding="ascii")
        (bin_folder / "perf").chmod(stat.S_IRWXU)
        board = {"LD_PRELOAD": ARM_UNAME, "PATH": f"{bin_folder}:{os.environ['PATH']}"}
        done = self.compare("--compare", "-e", "instructions,r21", "-e", "r10,r12,r03,r04,r05,r01", "-x,", "--machine=cortex-a76",
                            "./program", "argument", **board)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("# kernel: 6.1.21-v8+\n# perf: perf version 6.1.20\n", done.stdout)
        self.assertIn("INST_RETIRED,10,2005,200.500,off by more than a tenth\nBR_RETIRED,10,1000,100.000,", done.stdout)
        self.assertEqual((self.folder / "events").read_text(encoding="ascii"),
                         "r8:u,r21:u,r10:u,r12:u,r3:u,r4:u ./program argument\nr5:u,r1:u ./program argument\n")
        (bin_folder / "perf").write_text("#!/bin/sh\necho oops >&2\n", encoding="ascii")
        done = self.compare("--compare", "--machine=cortex-a76", "./program", **board)
        self.assertEqual((done.returncode, done.stderr.splitlines()[-1]), (
            125, "armpmu: what perf printed:1: the text ends here, without a count of 'perf stat -x,' or 'perf stat -j'"))
        (bin_folder / "perf").unlink()
        done = self.compare("--compare", "--machine=cortex-a76", "./program", **board | {"PATH": str(bin_folder)})
        self.assertEqual((done.returncode, done.stderr), (
            125, "armpmu: cannot start perf: No such file or directory; install it, or name a file with its output from elsewhere with "
            "--compare=FILE\n"))


if __name__ == "__main__":
    unittest.main()
