"""scripts/fuzz.py runs every target, counts, and ends with what to do after a crash.

The fuzzers are stand-ins: shell scripts that print libFuzzer's figures, and crash when they are to.
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/fuzz.py"
FIGURES = "echo '#7 DONE cov: 31 ft: 9' >&2; echo 'stat::number_of_executed_units: 70' >&2"
CRASH = """case "$*" in
*-minimize_crash=1*) for a; do case $a in -exact_artifact_path=*) echo x >"${a#*=}" ;; esac; done ;;
*) for a; do case $a in -artifact_prefix=*) echo xxxx >"${a#*=}crash-1" ;; esac; done ;;
esac
exit 77"""


class Fuzz(unittest.TestCase):
    def run_fuzz(self, bodies, *arguments):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        (self.build / "fuzz").mkdir()
        rows = "".join(f"{name} 64 20 \n" for name in bodies)
        (self.build / "fuzz/targets").write_text(rows, encoding="ascii")
        for name, body in bodies.items():
            program = self.build / "fuzz" / f"fuzz-{name}"
            program.write_text(f'#!/bin/sh\necho "$@" >>"{self.build}/{name}.args"\n{body}\n',
                               encoding="ascii")
            program.chmod(0o755)
        return subprocess.run([sys.executable, "-B", SCRIPT, self.build, *arguments], text=True,
                              check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              cwd=self.build)

    def arguments(self, name):
        return (self.build / f"{name}.args").read_text(encoding="utf-8")

    def test_a_line_for_each_target(self):
        run = self.run_fuzz({"one": FIGURES, "two": FIGURES}, "--runs", "70")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        for name in ("one", "two"):
            self.assertRegex(run.stdout, rf"{name} +70 executions.*coverage +31 +crashes 0")
            self.assertIn("-runs=70", self.arguments(name))
            self.assertIn("-max_len=64", self.arguments(name))

    def test_minutes_bound_each(self):
        self.run_fuzz({"one": FIGURES}, "--minutes", "0.5")
        self.assertIn("-max_total_time=30", self.arguments("one"))

    def test_a_crash_fails_and_says_how_to_see_it_again(self):
        run = self.run_fuzz({"bad": CRASH, "good": FIGURES}, "--runs", "1")
        self.assertEqual(run.returncode, 1)
        small = self.build / "crashes/bad/crash-1.min"
        self.assertTrue(small.exists())
        self.assertIn(f"replay  {self.build}/fuzz/fuzz-bad {small}", run.stdout)
        self.assertRegex(run.stdout, r"good +70 executions")

    def test_ci_closes_with_counts_and_gives_each_its_seconds(self):
        run = self.run_fuzz({"bad": CRASH, "good": FIGURES}, "--ci")
        self.assertEqual(run.stdout.splitlines()[-1], "1 passed, 1 failed, 0 skipped")
        self.assertIn("-max_total_time=20", self.arguments("good"))
        self.assertIn("-seed=1", self.arguments("good"))

    def test_ci_prints_the_report_and_the_input_of_a_crash(self):
        body = "echo '#12 NEW cov: 3' >&2; echo ERROR: AddressSanitizer: SEGV >&2; echo '    #0 in parse' >&2\n" + CRASH
        run = self.run_fuzz({"bad": body}, "--ci")
        self.assertIn("ERROR: AddressSanitizer: SEGV\n    #0 in parse\nbase64 of", run.stdout)
        self.assertIn("eAo=", run.stdout)  # "x", a line
        self.assertNotIn("cov: 3", run.stdout)

    def test_a_fuzzer_that_runs_nothing_fails(self):
        for body in ("exit 1", "exit 0"):
            with self.subTest(body):
                self.assertEqual(self.run_fuzz({"dead": body}, "--ci").returncode, 1)

    def test_an_unknown_target_is_named(self):
        run = self.run_fuzz({"one": FIGURES}, "--target", "none")
        self.assertEqual(run.returncode, 1)
        self.assertIn("'none'", run.stderr)


if __name__ == "__main__":
    unittest.main()
