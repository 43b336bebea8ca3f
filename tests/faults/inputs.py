"""Any surroundings and any input files: armpmu works, or names the faulty one and the fault.

usage: inputs.py ARMPMU PROGRAM

PROGRAM: one for Linux on the Cortex-A8, with debugging information.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, PROGRAM = (str(Path(word).resolve()) for word in sys.argv[1:3])


class Inputs(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="armpmu-inputs-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def armpmu(self, *words, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        return subprocess.run([ARMPMU, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=120,
                              check=False, **more)

    def record(self, *words):
        done = self.armpmu("record", *words, "--", PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)

    def assert_refused(self, done, *parts):
        self.assertEqual((done.returncode, done.stdout), (125, ""), done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)


class Surroundings(Inputs):
    def limited(self, soft, hard, *words):
        return self.armpmu(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_STACK, (soft, hard)))

    def test_a_small_stack_is_raised(self):
        """As far as it may be; the program has the caller's."""
        usual = self.armpmu("stat", "-x,", "-e", "instructions", "--", PROGRAM)
        for soft in (64 << 10, 128 << 10):
            done = self.limited(soft, resource.RLIM_INFINITY, "stat", "--", PROGRAM)
            self.assertEqual((done.returncode, done.stdout), (usual.returncode, usual.stdout), done.stderr)
            self.assertIn("Hot spot", done.stderr)
        self.assert_refused(self.limited(128 << 10, 256 << 10, "stat", "--", PROGRAM), "256 KB", "needs 1024")

    def test_a_path_has_a_line_end(self):
        """Or the four characters for which the kernel writes one."""
        for name in ("a\nb", "a\\012b"):
            shutil.copy(PROGRAM, self.folder / name)
            self.assertEqual(self.armpmu("record", "--", self.folder / name).returncode, 0)
            (self.folder / name).chmod(0o644)
            shown = self.armpmu("report", "--sort", "symbol").stdout
            self.assertIn("main", shown)
            (self.folder / name).unlink()


class Endless(Inputs):
    def test_no_file_is_read_without_end(self):
        """Neither bytes of 0 nor text, with 1 GB of memory."""
        self.record("--trace", "trace")
        self.record()
        (self.folder / "zeros.ini").symlink_to("/dev/zero")
        os.mkfifo(self.folder / "text.ini")
        readers = (["trend", "FILE"], ["calibrate", "--compare=FILE", "./program"], ["calibrate", "--read=FILE", "--name=x"],
                   ["dtb", "--core", "cortex-a8", "--irq", "spi:1", "FILE", "out"], ["annotate", "--whatif", "FILE"],
                   ["replay", "--gather", "trace", "FILE"], ["diff", "FILE", "armpmu.data"], ["report", "-i", "FILE"],
                   ["replay", "FILE"], ["stat", "--machine", "./FILE", "--", PROGRAM], ["run", "FILE"],
                   ["stat", "--baseline", "FILE", "--", PROGRAM])
        for words in readers:
            for name in ("zeros.ini", "text.ini"):
                with self.subTest(words=words, name=name):
                    self.refuses_endless([word.replace("FILE", name) for word in words])

    def refuses_endless(self, words):
        with open(self.folder / "text.ini", "r+b", buffering=0) as fifo, \
                subprocess.Popen(["yes", '[{"a":'], stdout=fifo) as writer:
            done = self.armpmu(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
            writer.kill()
        self.assertIn(done.returncode, (125, 126), done)
        self.assertRegex(done.stderr, r"^armpmu: .*(text|zeros)\.ini")
        self.assertNotIn("out of memory", done.stderr)


class Replay(Inputs):
    def test_no_machine_is_counted_before_all_are_known(self):
        self.record("--trace", "trace")
        for other, part in (("neoverse-n1", "run on neoverse-n1"), ("nonesuch", "'nonesuch'")):
            done = self.armpmu("replay", "-o", "report", "--machine", f"cortex-a8,{other}", "trace")
            self.assert_refused(done, part)
            self.assertFalse((self.folder / "report").exists())
        done = self.armpmu("replay", "-e", "r45", "--machine", "cortex-a8,cortex-a8-am335x", "trace")
        self.assertEqual((done.returncode, done.stderr.count("armpmu replay:")), (0, 2), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
