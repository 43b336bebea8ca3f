"""The closing line of scripts/test agrees with Meson's log, and its exit status is right."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/count_results.py"


class CountResults(unittest.TestCase):
    def count(self, *results, log=None):
        """The closing line and the exit status for these results."""
        if log is None:
            log = "".join(json.dumps({"name": "t", "result": r}) + "\n" for r in results)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "testlog.json")
            path.write_text(log, encoding="utf-8")
            run = subprocess.run([sys.executable, SCRIPT, path], text=True, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return run.stdout.splitlines()[-1], run.returncode

    def test_all_passed(self):
        self.assertEqual(self.count("OK", "OK", "EXPECTEDFAIL"), ("3 passed, 0 failed, 0 skipped", 0))

    def test_skips_are_counted_and_do_not_fail(self):
        self.assertEqual(self.count("OK", "SKIP"), ("1 passed, 0 failed, 1 skipped", 0))

    def test_every_other_result_fails(self):
        for bad in ("FAIL", "TIMEOUT", "INTERRUPT", "ERROR", "UNEXPECTEDPASS", "something new"):
            with self.subTest(bad):
                self.assertEqual(self.count("OK", bad), ("1 passed, 1 failed, 0 skipped", 1))

    def test_parts_of_a_test_count(self):
        tap = "1..3\nok 1 - one\nok 2 # SKIP not here\n{} 3 - # of three\n# WRONG not ok\n"
        for result, last, line in (("OK", "ok", "2 passed, 0 failed, 1 skipped"),
                                   ("FAIL", "not ok", "1 passed, 1 failed, 1 skipped"),
                                   ("TIMEOUT", "ok", "2 passed, 1 failed, 1 skipped")):
            log = json.dumps({"name": "t", "result": result, "stdout": tap.format(last)})
            self.assertEqual(self.count(log=log), (line, int(result != "OK")))
        log = json.dumps({"name": "t", "result": "SKIP", "stdout": "1..0 # SKIP nothing here\n"})
        self.assertEqual(self.count("OK", log=log + "\n" + json.dumps({"result": "OK"})),
                         ("1 passed, 0 failed, 1 skipped", 0))

    def test_nothing_passed_is_a_failure(self):
        self.assertEqual(self.count("SKIP"), ("0 passed, 0 failed, 1 skipped", 1))
        self.assertEqual(self.count(), ("0 passed, 0 failed, 0 skipped", 1))

    def test_a_broken_log_is_a_failure(self):
        self.assertEqual(self.count(log="{"), ("0 passed, 0 failed, 0 skipped", 1))


if __name__ == "__main__":
    unittest.main()
