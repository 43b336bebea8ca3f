"""Arm programs that a program executes: what they find is what execve promises, and they are counted."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ARMPMU = os.environ["ARMPMU"]
PARENTS = os.environ["PARENTS"].split(":")
MACHINES = {"parent_a32_static": "cortex-a8", "parent_t32_dynamic": "cortex-a8",
            "parent_armel": "pxa255", "parent_a64_static": "neoverse-n2"}


class Run:
    """One run, its counts by process: {"NAME-P": instructions}."""

    def __init__(self, parent, *case, options=(), stdin="", **more):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "out.json")
            done = subprocess.run(
                [ARMPMU, "stat", "-j", "-e", "instructions", "--per-process", "-o", out, "--machine",
                 MACHINES[Path(parent).name], *options, "--", parent, *case],
                input=stdin, capture_output=True, text=True, check=False, **more)
            self.status, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
            self.rows = [json.loads(line) for line in out.read_text().splitlines()
                         if '"event"' in line]
        self.counts = {row["process"]: int(row["counter-value"]) for row in self.rows}
        self.uncounted = self.rows[0].get("uncounted-programs", 0) if self.rows else None


class Executed(unittest.TestCase):
    def each(self, *case, **more):
        runs = [(parent, Run(parent, *case, **more)) for parent in PARENTS]
        for parent, run in runs:
            self.assertEqual(run.stderr, "", parent)
        return runs

    def test_everything_of_the_process_stays(self):
        for parent, run in self.each("replace"):
            name = Path(parent).name
            self.assertEqual(run.stdout.replace(self.pid(run), "PID"),
                             "<another name><leaf><-x><><PID> FOO=with, a comma blocked=1 ignored=1 "
                             "pid=same descriptor=3\n")
            self.assertEqual(run.status, 7)
            self.assertEqual(list(run.counts), [name + "-1", name + "-2"])
            self.assertEqual(run.uncounted, 0)

    @staticmethod
    def pid(run):
        return run.stdout.split("<>", 1)[1].split("<", 1)[1].split(">", 1)[0]

    def test_commands_one_after_the_other(self):
        for _, run in self.each("build"):
            self.assertEqual(run.status, 128 + 15)
            self.assertEqual(len(run.counts), 7)  # itself; three children, each in two programs
            programs = [run.counts[n] for n in sorted(run.counts) if n[-1] in "35"]
            self.assertEqual(len(set(programs)), 1)
            self.assertGreater(programs[0], 5000)

    def test_pipes_end(self):
        for _, run in self.each("pipe", stdin="GHI" * 40000):
            self.assertEqual(run.status, 0)
            self.assertEqual(run.stdout, "IJK" * 40000)

    def test_spawned_and_executed_by_a_thread(self):
        for _, run in self.each("spawn"):
            self.assertEqual(run.status, 5)
        for _, run in self.each("thread"):
            self.assertEqual(run.status, 6)
            self.assertEqual(run.uncounted, 0)

    def test_scripts(self):
        with tempfile.TemporaryDirectory() as folder:
            for parent in PARENTS:
                script, interpreter = Path(folder, "script"), Path(folder, "interpreter")
                interpreter.write_text(f"#! {parent} leaf\n", encoding="utf-8")
                script.write_text(f"#!{interpreter}  two words \n", encoding="utf-8")
                for file in (script, interpreter):
                    file.chmod(0o755)
                run = Run(parent, "script", folder)
                self.assertEqual(run.stderr, "")
                self.assertEqual(run.stdout.split(" FOO")[0],
                                 f"<{parent}><leaf><{interpreter}><two words><{script}><last>")
                self.assertEqual(run.status, 7)
                self.assertEqual(len(run.counts), 2)

    def test_programs_and_interpreters_in_the_sysroot(self):
        parent = PARENTS[0]
        with tempfile.TemporaryDirectory() as folder:
            root, scripts = Path(folder, "root"), Path(folder, "scripts")
            (root / "opt").mkdir(parents=True)
            scripts.mkdir()
            shutil.copy(parent, root / "opt/only-there")
            (scripts / "script").write_text("#!/opt/only-there leaf\n", encoding="utf-8")
            (scripts / "script").chmod(0o755)
            run = Run(parent, "script", scripts, options=["--sysroot", root])
            self.assertIn("</opt/only-there><leaf>", run.stdout)
            self.assertEqual(list(run.counts), [Path(parent).name + "-1", "only-there-2"])

    def test_errors_are_those_of_the_system(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("not-executable", "text"):
                Path(folder, name).write_text("no program\n", encoding="utf-8")
            Path(folder, "text").chmod(0o755)
            for _, run in self.each("errors", folder):
                self.assertEqual((run.stdout, run.status), ("111111\n", 0))

    def test_no_signal_is_lost(self):
        for _, run in self.each("signals"):
            self.assertEqual((run.stdout, run.status), ("40 ended by the signal\n", 0))

    def test_children_that_are_not_counted(self):
        for parent, run in self.each("build", options=["--no-inherit"]):
            self.assertEqual(run.status, 128 + 15)
            self.assertEqual(list(run.counts), [Path(parent).name + "-1"])
        for parent, run in self.each("replace", options=["-i"]):
            name = Path(parent).name
            self.assertEqual(run.status, 7)
            self.assertEqual(list(run.counts), [name + "-1", name + "-2"])

    def test_two_runs_are_the_same(self):
        for parent in PARENTS:
            self.assertEqual(Run(parent, "build").counts, Run(parent, "build").counts)


if __name__ == "__main__":
    unittest.main()
