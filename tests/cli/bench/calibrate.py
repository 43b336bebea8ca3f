"""armpmu calibrate: machine files from a board's output, and messages for invalid arguments and outputs.

usage: calibrate.py ARMPMU

That the program measures what a machine file says is tested in tests/firmware/calibrate.py.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = str(Path(sys.argv.pop(1)).resolve())
AGAIN = "run the program again and keep all that it prints"
HEAD = "armpmu-calibrate 1\ncore cortex-a8\nruns 9\n"
ONE_OF = "one of --core, which prints the program, --read, which takes what it printed, and --compare"
SEE = "see 'armpmu help calibrate'"
VALUE = f"this should be 'NAME VALUE UNIT', with a value like 1.005 below 1000000000; {AGAIN}"

# Words behind "armpmu calibrate", the sentence.
REFUSED = [
    ([], f"calibrate: {ONE_OF}; {SEE}"),
    (["--core=cortex-a8", "--read=x"],
     f"calibrate: {ONE_OF}; {SEE}"),
    (["x"], f"calibrate: 'x': files are named with --read and -o; {SEE}"),
    (["--core=cortex-a8", "--name=x"], f"calibrate: --name and --base belong to --read; {SEE}"),
    (["--read=x"], f"calibrate: --name is missing; {SEE}"),
    (["--read=x", "--name=" + 64 * "y"], f"calibrate: --name is longer than 63 characters; {SEE}"),
    (["--read=x", "--name=y", "--base=./z.ini"], f"calibrate: --base is the name of a machine, not a file; {SEE}"),
    (["--core=cortex-a9"], "--core 'cortex-a9': the program does not measure it; it measures cortex-a8, cortex-r4f, xscale1, xscale2"),
    (["--core=z"], "--core 'z': the program does not measure it; it measures cortex-a8, cortex-r4f, xscale1, xscale2"),
    (["--read=/absent", "--name=y"],
     "cannot read '/absent': No such file or directory; name a file with the program's output"),
    (["--core=cortex-a8", "-o", "/absent/x"],
     "cannot write /absent/x: No such file or directory; choose another file with -o"),
]

# A text, the sentence after "board.txt".
WRONG = [
    ("", f":1: the text ends here, without the line 'end'; {AGAIN}"),
    ("garbage\n", f":1: 'garbage': this should be 'armpmu-calibrate N' with N from 1 to 1; {AGAIN}"),
    ("\x00\x1b[2J\n", ":1: '\\x01\\x1b[2J': this should be 'armpmu-calibrate N' with N from 1 to 1; " + AGAIN),
    ("armpmu-calibrate 2\n", f":1: 'armpmu-calibrate 2': this should be 'armpmu-calibrate N' with N from 1 to 1; {AGAIN}"),
    ("armpmu-calibrate 1\ncore\n", f":2: 'core': this should be 'core NAME'; {AGAIN}"),
    ("armpmu-calibrate 1\ncore z\nruns 9\nend 1\n", f":4: 'end 1': 0 values stand before it; {AGAIN}"),
    ("armpmu-calibrate 1\ncore z\nruns 0\n", f":3: 'runs 0': this should be 'runs N' with N from 1 to 1000; {AGAIN}"),
    ("armpmu-calibrate 1\ncore z\nruns 1001\n",
     f":3: 'runs 1001': this should be 'runs N' with N from 1 to 1000; {AGAIN}"),
    ("armpmu-calibrate 1\ncore z\nruns 1.500\n",
     f":3: 'runs 1.500': this should be 'runs N' with N from 1 to 1000; {AGAIN}"),
    (HEAD + "add 1.000 cycles\n", f":5: the text ends here, without the line 'end'; {AGAIN}"),
    (HEAD + "add 1.000 cyc", f":4: 'add 1.000 cyc': its unit should be cycles or ns; {AGAIN}"),
    (HEAD + "add 1.00", f":4: 'add 1.00': {VALUE}"),
    (HEAD + "add 1.00 cycles\n", f":4: 'add 1.00 cycles': {VALUE}"),
    (HEAD + "add 1.9223372036854775807 cycles\n", f":4: 'add 1.9223372036854775807 cycles': {VALUE}"),
    (HEAD + "add -1.000 cycles\n", f":4: 'add -1.000 cycles': {VALUE}"),
    (HEAD + "add 1000000000.000 cycles\n", f":4: 'add 1000000000.000 cycles': {VALUE}"),
    (HEAD + "Add 1.000 cycles\n", f":4: 'Add 1.000 cycles': {VALUE}"),
    (HEAD + "add 1.000 cycles more\n", f":4: 'add 1.000 cycles more': {VALUE}"),
    (HEAD + "add 1.000 s\n", f":4: 'add 1.000 s': its unit should be cycles or ns; {AGAIN}"),
    (HEAD + "add 1.000 cycles\nadd 1.000 cycles\n",
     ":5: 'add 1.000 cycles': this was measured before; keep what one run printed"),
    (HEAD + "add 1.000 cycles\nend 2\n", f":5: 'end 2': 1 values stand before it; {AGAIN}"),
    (HEAD + "add 1.000 ns\nend 1\n",
     f": 'add' is in ns, but no line 'clock' says how long a cycle is; {AGAIN}"),
    (HEAD + "x" * 160 + "\n",
     ":4: the line is longer than 159 characters; name a file with the output of 'calibrate' on the board"),
    ("armpmu-calibrate 1\ncore z80\nruns 9\nx 1 ns\nclock 0 ns\nend 2\n", ": 'x' is in ns, but no line 'clock' says how long a cycle is; " + AGAIN),
    ("armpmu-calibrate 1\ncore z80\nruns 9\nx 1 cycles\nend 1\n", ": 'z80' is not a core; 'armpmu list core' shows them"),
    (HEAD + "x 1 cycles\nend 1\n", ": it determines no key of a machine file"),
]


def armpmu(*words, text=None, folder=None):
    return subprocess.run([ARMPMU, "calibrate", *words], input=text, capture_output=True, text=True, check=False,
                          cwd=folder)


def keys_of(machine):
    """section.key: value, comment."""
    found, section = {}, ""
    for line in machine.splitlines():
        section = line[1:-1] if line.startswith("[") else section
        row = re.fullmatch(r"(\w+) = (\S+) +; (.*)", line)
        if row:
            found[f"{section}.{row[1]}"] = row[2], row[3]
    return found


class Calibrate(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def read(self, rows, *words):
        text = HEAD + "".join(row + "\n" for row in rows) + f"end {len(rows)}\n"
        (self.folder / "board.txt").write_text(text, encoding="ascii")
        return armpmu("--read=board.txt", "--name=mine", *words, folder=self.folder)

    def keys(self, *rows):
        done = self.read(rows)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {key: int(value) for key, (value, _) in keys_of(done.stdout).items()}

    def test_wrong_words(self):
        for words, sentence in REFUSED:
            with self.subTest(words):
                done = armpmu(*words)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (125, "", f"armpmu: {sentence}\n"))

    def test_wrong_texts(self):
        for text, sentence in WRONG:
            with self.subTest(text):
                (self.folder / "board.txt").write_text(text, encoding="latin-1")
                done = armpmu("--read=board.txt", "--name=x", folder=self.folder)
                self.assertEqual((done.returncode, done.stdout), (125, ""))
                self.assertEqual(done.stderr.splitlines()[-1], f"armpmu: board.txt{sentence}")

    def test_each_line_is_needed(self):
        """A text that ends early, after whichever byte but the last, is no whole one."""
        whole = HEAD + "clock 1.000 ns\nadd 1.000 ns\nend 2"
        for length in range(len(whole)):
            done = armpmu("--read=-", "--name=x", text=whole[:length])
            with self.subTest(length):
                self.assertEqual((done.returncode, done.stdout), (125, ""))
                self.assertIn("standard input", done.stderr)
        self.assertEqual(armpmu("--read=-", "--name=x", text=whole).returncode, 0)

    def test_the_program_is_whole(self):
        done = armpmu("--core=cortex-a8", "-o", "calibrate.c", folder=self.folder)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        text = (self.folder / "calibrate.c").read_text(encoding="ascii")
        self.assertEqual(text, armpmu("--core=cortex-a8").stdout)
        self.assertIn("arm-linux-gnueabihf-gcc -O2 -static calibrate.c -o calibrate\n", text)
        self.assertTrue(text.endswith("}\n"))

    def test_the_file_is_a_machine(self):
        done = self.read(["add 1.004 cycles", "multiply 5.502 cycles"], "-o", "mine.ini")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        text = (self.folder / "mine.ini").read_text(encoding="ascii")
        self.assertEqual(keys_of(text), {"issue.alu_latency": ("1", "measured: 1.00 cycles (median of 9)"),
                                         "issue.multiply_latency": ("6", "measured: 5.50 cycles (median of 9)")})
        self.assertIn("\n[machine]\nname = mine\nbase = cortex-a8\n", text)
        self.assertIn("\n; mhz: not measured, the line clock is missing\n", text)
        self.assertIn("\narmpmu: board.txt: clock.mhz stays as in cortex-a8: the line clock is missing\n", "\n" + done.stderr)
        # What is written for a person and for the file is the same, key by key.
        self.assertEqual(len(re.findall("(?m)^; .*: not measured, ", text)), len(done.stderr.splitlines()))

    def test_another_base(self):
        done = self.read(["add 1.000 cycles"], "--base=cortex-a8-am335x")
        self.assertIn("\nbase = cortex-a8-am335x\n", done.stdout)
        done = self.read(["add 1.000 cycles"], "--base=pxa255")
        self.assertEqual((done.returncode, done.stderr), (
            125, "armpmu: --base pxa255 is a xscale1, board.txt was measured on a cortex-a8; "
            "name a machine with that core\n"))

    def test_nanoseconds_become_cycles(self):
        """At 500 MHz a cycle is two of them."""
        keys = self.keys("clock 2.000 ns", "add 2.000 ns", "multiply 12.004 ns")
        self.assertEqual(keys, {"clock.mhz": 500, "issue.alu_latency": 1, "issue.multiply_latency": 6})

    def test_serial_lines(self):
        done = armpmu("--read=-", "--name=x", text=(HEAD + "add 1.000 cycles\nend 1\n").replace("\n", "\r\n"))
        self.assertEqual((done.returncode, [*keys_of(done.stdout)]), (0, ["issue.alu_latency"]))

    def test_curves(self):
        """Level 1 of 16 KB takes 4 cycles, level 2 of 256 KB 9 more, memory 100 beyond the base's 25."""
        def chase(size):
            return 4 + (9 if size > 16 << 10 else 0) + (125 if size > 256 << 10 else 0)

        sizes = sorted([1024 << i for i in range(15)] + [196608])
        rows = [f"chase_{size} {chase(size)}.000 cycles" for size in sizes]
        keys = self.keys("add 1.000 cycles", "shift 2.000 cycles", *rows)
        # Of memory, 1 in 1025 is the descriptors' share: 125 * 1024 // 1025 is 124.9.
        self.assertEqual(keys, {"issue.alu_latency": 1, "issue.early_extra": 1, "issue.load_latency": 3,
                                "l1d.size_kb": 16, "l2.size_kb": 256, "l2.hit_cycles": 9,
                                "memory.latency_cycles": 100})

    def test_no_level_2(self):
        rows = [f"chase_{1024 << i} {3 if i < 6 else 103}.000 cycles" for i in range(15)]
        self.assertEqual(self.keys(*rows), {"l1d.size_kb": 32, "l2.size_kb": 0, "memory.latency_cycles": 75})

    def test_out_of_limits(self):
        done = self.read(["add 1.000 cycles", "multiply 30.600 cycles", "shift 0.100 cycles"])
        self.assertEqual([*keys_of(done.stdout)], ["issue.alu_latency"])
        self.assertIn("armpmu: board.txt: issue.multiply_latency stays as in cortex-a8: multiply is 30.60, the key takes "
                      "1 to 30\n", done.stderr)
        self.assertIn("armpmu: board.txt: issue.early_extra stays as in cortex-a8: shift - add is -0.90, the key takes "
                      "0 to 5\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
