"""armpmu stat --baseline, on an engine of known counts: what is compared, limits, statuses, formats.

usage: baseline.py ARMPMU MACHINES

ARMPMU: the command linked with known_engine.c. Its program "work" has counts, "long" 2000 times as many.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU = str(Path(sys.argv[1]).resolve())
RISE = "CPU_CYCLES rose by 199900.00 % (61,284,118 to 122,568,236,000), the limit is 5 %"


class Baseline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.stat(["-j", "-o", "base.json", "-e", "cycles,instructions,BR_MIS_PRED"], "work")

    def stat(self, options, *program, **variables):
        environment = {name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"}
        environment |= {"ARMPMU_MACHINE_PATH": sys.argv[2], "ARMPMU_MACHINE": ""} | variables
        return subprocess.run([ARMPMU, "stat", *options, "--", *program], cwd=self.folder, text=True,
                              env=environment, capture_output=True, check=False)

    def compare(self, *options, program=("work",), **variables):
        return self.stat(["--baseline", "base.json", *options], *program, **variables)

    def test_equal_runs_pass(self):
        answer = self.compare("--fail-above", "cycles=0", "--fail-above=ipc=0")
        self.assertEqual(answer.returncode, 0, answer)
        self.assertIn(" armpmu diff: base.json -> this run\n\n nothing changed\n", answer.stderr)

    def test_events_are_those_of_the_baseline(self):
        lines = self.compare("-j", "-o", "now.json", program=("work",))
        self.assertEqual(lines.returncode, 0, lines)
        now, base = ([{**json.loads(line), "event": None} for line in (self.folder / name).read_text().splitlines()]
                     for name in ("now.json", "base.json"))  # the names are those of -e, or of the manual
        self.assertEqual(now, base)
        one = self.compare("-e", "cycles")
        self.assertIn("only 'base.json' has INST_RETIRED, BR_MIS_PRED: not compared", one.stderr)

    def test_what_rose_fails(self):
        answer = self.compare("--fail-above", "cycles=5", "--fail-above", "ipc=1", program=("long",))
        self.assertEqual(answer.returncode, 3, answer)
        self.assertIn(f" FAILED: {RISE}\n", answer.stderr)
        self.assertNotIn("ipc rose", answer.stderr)
        self.assertNotIn("armpmu: ", answer.stderr)
        self.assertEqual(self.compare("--fail-above", "cycles=199900", program=("long",)).returncode, 0)
        self.assertEqual(self.compare(program=("long",)).returncode, 0)

    def test_metrics_are_those_of_the_machines_core(self):
        """Many cores have these events; the Cortex-A8, which comes first, has other metrics of them."""
        for form in ("-j", "--json=1"):
            words = ["--machine", "neoverse-v1", form, "-o", "v1.json", "-e", "cycles,instructions,L1D_CACHE_REFILL"]
            self.stat(words, "work")
            answer = self.stat(["--machine", "neoverse-v1", "--baseline", "v1.json", "--fail-above", "l1d_cache_mpki=0"],
                               "work")
            self.assertEqual(answer.returncode, 0, answer)
            self.assertNotIn("armpmu: ", answer.stderr)
        groups = ["--machine", "neoverse-v1", "-M", "Topdown_L1"]
        self.stat([*groups, "-j", "-o", "v1.json"], "work")
        answer = self.stat([*groups, "--baseline", "v1.json", "--fail-above", "retiring=0", "--fail-above",
                            "Backend_Bound=0"], "work")
        self.assertEqual(answer.returncode, 0, answer)

    def test_a_sentence_stands_beside_a_file(self):
        for options in (["-o", "report"], ["-o", "report", "-j"], ["-o", "report", "-x,"]):
            answer = self.compare("--fail-above", "cycles=5", *options, program=("long",))
            self.assertEqual(answer.returncode, 3, answer)
            self.assertIn(f"armpmu: {RISE}\n", answer.stderr)
            report = (self.folder / "report").read_text()
            self.assertEqual(f" FAILED: {RISE}\n" in report, len(options) == 2, report)

    def test_github_gets_annotations(self):
        line = f"::error title=armpmu diff::{RISE.replace('%', '%25')}\n"
        for options, variables in (([], {"GITHUB_ACTIONS": "true"}), (["--baseline-format=github"], {})):
            answer = self.compare("--fail-above", "cycles=5", *options, program=("long",), **variables)
            self.assertEqual(answer.returncode, 3, answer)
            self.assertEqual(answer.stderr.count(line), 1, answer.stderr)
        self.assertNotIn("::error", self.compare(program=("long",), GITHUB_ACTIONS="true").stderr)

    def test_markdown_and_json(self):
        table = self.compare("--baseline-format=md", program=("long",)).stderr
        self.assertIn("| CPU_CYCLES | 61,284,118 | 122,568,236,000 | 122,506,951,882 | +199900.00 % |", table)
        answer = self.compare("-j", "-o", "now.json", "--baseline-format=json", program=("long",))
        rows = [json.loads(line) for line in answer.stderr.splitlines()]
        self.assertIn(["event", "CPU_CYCLES", 61284118, 122568236000],
                      [[row[key] for key in ("kind", "name", "before", "after")] for row in rows])

    def test_the_programs_own_status_comes_first(self):
        answer = self.compare("--fail-above", "cycles=5", program=("exit", "7"))
        self.assertEqual(answer.returncode, 7, answer)

    def test_a_run_that_was_cut_short_is_not_compared(self):
        answer = self.compare("--fail-above", "cycles=0", program=("interrupted",))
        self.assertEqual(answer.returncode, 130, answer)
        self.assertIn("armpmu: not compared with 'base.json': the run is not complete\n", answer.stderr)

    def test_what_is_wrong_is_refused_before_the_run(self):
        for options, sentence in (
                (["--fail-above", "cycles=1"], "--fail-above needs a run to compare with: --baseline"),
                (["--baseline-format=md"], "--baseline-format needs a run to compare with: --baseline"),
                (["--baseline", "base.json", "--fail-above", "cycles"],
                 "--fail-above 'cycles': an event or metric and percent, like cycles=2.5"),
                (["--baseline", "base.json", "--fail-above", "cycle=1"],
                 "--fail-above 'cycle=1': no event that is counted, and no metric of Arm Cortex-A8; "
                 "'armpmu list metric' shows those"),
                (["--baseline", "base.json", "--fail-above", "l1d_mpki=5"],
                 "--fail-above 'l1d_mpki=5': it needs L1D_CACHE_REFILL, which the baseline does not have; "
                 "-M l1d_mpki counts them"),
                (["--baseline", "base.json", "-e", "cycles", "--fail-above", "ipc=5"],
                 "--fail-above 'ipc=5': it needs INST_RETIRED, which is not counted here; -M ipc counts them"),
                (["--baseline", "base.json", "--machine", "cortex-r4f", "--fail-above", "ipc=5"],
                 "--fail-above 'ipc=5': the baseline is of Arm Cortex-A8; metrics are compared between runs of one core"),
                (["--baseline", "nowhere"],
                 "cannot open 'nowhere': No such file or directory; 'armpmu stat -j -o FILE' and 'armpmu record' write "
                 "what is compared"),
                (["--baseline", "base.json", "-I", "10"],
                 "--baseline compares totals; leave out -I, --per-thread and --per-process"),
                (["--baseline", "base.json", "-n"],
                 "--baseline compares true counts; leave out -n and --mode hw")):
            answer = self.stat(options, "work")
            self.assertEqual((answer.returncode, answer.stderr), (125, f"armpmu: {sentence}\n"), answer)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
