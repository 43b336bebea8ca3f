"""armpmu convert: its output files, and its messages for invalid arguments and files. tests/export/ has the formats.

usage: convert.py ARMPMU SAMPLE_FILE
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

EVENTS = "CPU_CYCLES, INST_RETIRED, L1D_CACHE_REFILL, BR_MIS_PRED"


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-convert-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        subprocess.run([SAMPLE_FILE, self.folder / "armpmu.data"], check=True)

    def convert(self, *words):
        return subprocess.run([ARMPMU, "convert", *map(str, words)], cwd=self.folder, capture_output=True, text=True)

    def refuses(self, words, sentence):
        done = self.convert(*words)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (125, "", f"armpmu: {sentence}\n"))

    def test_default_file(self):
        done = self.convert("--to", "cachegrind")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "cachegrind.out.armpmu: for cg_annotate, cg_diff: functions and lines\n")
        self.assertIn("\nsummary: 11330 6210 1007 46\n", (self.folder / "cachegrind.out.armpmu").read_text())

    def test_named_file_and_standard_output_are_the_same(self):
        (self.folder / "armpmu.data").rename(self.folder / "other.data")
        for name in ("callgrind", "speedscope", "html"):
            done = self.convert("--to", name, "-i", "other.data", "-o", "made")
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
            self.assertEqual(self.convert("--to", name, "-i", "other.data", "-o", "-").stdout,
                             (self.folder / "made").read_text())

    def test_events_in_the_order_wanted(self):
        text = self.convert("--to", "cachegrind", "-e", "BR_MIS_PRED,cycles,r10", "-o", "-").stdout
        self.assertIn("\nevents: BR_MIS_PRED CPU_CYCLES\n", text)
        self.assertIn("\nsummary: 46 11330\n", text)
        self.assertIn("\nevents: CPU_CYCLES INST_RETIRED L1D_CACHE_REFILL BR_MIS_PRED\n",
                      self.convert("--to", "cachegrind", "-o", "-").stdout)
        text = self.convert("--to", "cachegrind", "-e", "*_RE*", "-o", "-").stdout
        self.assertIn("\nevents: INST_RETIRED L1D_CACHE_REFILL\n", text)

    def test_wrong_words(self):
        self.refuses([], "convert: --to is missing; see 'armpmu help convert'")
        self.refuses(["--to", "html", "x.data"],
                     "convert: the profile is named with -i, not as x.data; see 'armpmu help convert'")
        self.refuses(["--to", "png"], "--to 'png': there are callgrind, cachegrind, perf, pprof, collapsed, speedscope, "
                     "perfetto, html, llvm-sample, bolt and autofdo")
        self.refuses(["--to", "html", "-e", "L2_ACCESS"], f"-e 'L2_ACCESS': not recorded; the profile has {EVENTS}")
        self.refuses(["--to", "html", "-e", ","], f"-e '': not recorded; the profile has {EVENTS}")
        self.refuses(["--to", "collapsed"], f"--to collapsed holds one event: choose it with -e from {EVENTS}")

    def test_source_that_is_no_file_is_left_out(self):
        os.mkfifo(self.folder / "pipe")
        with sqlite3.connect(self.folder / "armpmu.data") as connection:
            connection.execute("DELETE FROM meta WHERE key = 'checksum'")
            connection.execute("UPDATE file SET path = ? WHERE id = 0", (str(self.folder / "pipe"),))
        connection.close()
        done = self.convert("--to", "html", "-o", "-")
        self.assertEqual(done.returncode, 0)
        self.assertIn('pipe"', done.stdout)

    def test_wrong_files(self):
        (self.folder / "wrong").write_text("not a database")
        for name in ("absent", "wrong"):
            done = self.convert("--to", "html", "-i", name)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (125, "", 1))
            self.assertIn(name, done.stderr)
        self.refuses(["--to", "html", "-o", "/absent/file"],
                     "cannot write /absent/file: No such file or directory; choose another file with -o")
        done = self.convert("--to", "perf", "-o", "/dev/full")
        self.assertEqual(done.returncode, 125)
        self.assertIn("/dev/full: No space left on device", done.stderr)
        self.assertEqual([file.name for file in sorted(self.folder.iterdir())], ["armpmu.data", "wrong"])


if __name__ == "__main__":
    ARMPMU, SAMPLE_FILE = (Path(word).absolute() for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1], verbosity=2)
