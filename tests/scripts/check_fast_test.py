"""The tests that make check-fast chooses."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import check_fast  # noqa: E402


def test(name, suite, timeout=30):
    return {"name": name, "suite": ["armpmu:" + suite], "timeout": timeout}


class CheckFast(unittest.TestCase):
    def test_folders_have_suites(self):
        for path, suites in (("src/cores/xscale/core.c", {"cores", "directed"}), ("tests/isa/a32.c", {"isa"}),
                             ("machines/pxa255.ini", {"machines", "machine", "cli"}), ("README.md", {"README.md"}),
                             ("fuzz/corpus/pmu/1", {"fuzz"}), ("src/meson.build", {"src"})):
            self.assertEqual(check_fast.suites_of([path]), suites)

    def test_those_that_there_is_time_for_run(self):
        tests = [test("layout", "architecture", 600), test("long", "isa"), test("short", "isa"), test("new", "isa", 150),
                 test("other", "pmu"), test("armpmu list", "cli"), test("boots", "guest")]
        durations = {"long": 15, "short": 1}
        for seconds, chosen, left in ((100, ["short", "new", "long"], []), (12, ["short", "new"], ["long"]),
                                      (0, [], ["short", "new", "long"])):
            self.assertEqual(check_fast.choose(tests, {"isa", "guest"}, durations, seconds),
                             (["layout", "armpmu list"] + chosen, left))

    def test_durations_are_those_of_the_log(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder, "log.json")
            self.assertEqual(check_fast.last_durations(log), {})
            log.write_text(json.dumps({"name": "armpmu:isa / rows, of A32", "duration": 2.5}) + "\n", encoding="utf-8")
            self.assertEqual(check_fast.last_durations(log), {"rows, of A32": 2.5})


if __name__ == "__main__":
    unittest.main()
