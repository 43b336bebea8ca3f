"""armpmu sweep --slurm and --gather: shards by number, without Slurm.

usage: sweep_shards.py ARMPMU PROGRAM MACHINES

PROGRAM: for Arm Linux; "N" exits with N, "wait" runs until it is killed.
"""

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

VARIED = ["--set", "l2.size_kb=128,256", "-e", "cycles,instructions,r03", "-M", "ipc,branch_mpki"]


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-shards-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.jobs = self.folder / "jobs of a sweep"
        self.environment = {**os.environ, "ARMPMU_MACHINE_PATH": MACHINES}

    def armpmu(self, *words):
        return subprocess.run([ARMPMU, *map(str, words)], capture_output=True, text=True, check=False,
                              cwd=self.folder, env=self.environment)

    def write(self, lines, *options):
        (self.folder / "list").write_text("".join(line + "\n" for line in lines))
        run = self.armpmu("sweep", "--slurm", self.jobs, "--programs", self.folder / "list", *VARIED, *options)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def shard(self, number, **more):
        return subprocess.run(["sh", self.jobs / "sweep.sh"], capture_output=True, text=True, check=False,
                              env={**self.environment, "SLURM_ARRAY_TASK_ID": str(number)}, **more)

    def gather(self):
        return self.armpmu("sweep", "--gather", self.jobs, "--format", "csv", "-o", self.folder / "table")

    def table(self):
        return list(csv.reader(io.StringIO((self.folder / "table").read_text())))

    def test_the_table_is_that_of_sweeps(self):
        said = self.write([f"{PROGRAM} 3", "# a comment", "", f"{PROGRAM} 'two  words'"])
        self.assertIn("2 programs in 2 shards", said)
        self.assertIn("sbatch", said)
        self.assertEqual([self.shard(i).returncode for i in (0, 1)], [0, 0])
        self.assertEqual(self.gather().returncode, 0)
        want = []
        for line, words in (f"{PROGRAM} 3", ["3"]), (f"{PROGRAM} 'two  words'", ["two  words"]):
            self.armpmu("sweep", *VARIED, "--stable", "--format", "csv", "-o", self.folder / "one", "--", PROGRAM, *words)
            rows = list(csv.reader(io.StringIO((self.folder / "one").read_text())))
            want += [["program", *rows[0]]] if not want else []
            want += [[line, *row] for row in rows[1:]]
        self.assertEqual(self.table(), want)
        self.check_formats(want)

    def check_formats(self, want):
        """Each has the rows of the CSV; names of programs that CSV has to quote, too."""
        kinds = [str] * 2 + [int] * 4 + [float] * 2
        rows = [[kind(text) for kind, text in zip(kinds, row, strict=True)] for row in want[1:]]
        lines = self.armpmu("sweep", "--gather", self.jobs, "-j").stderr.splitlines()
        self.assertEqual([list(json.loads(line).values()) for line in lines], rows)
        text = self.armpmu("sweep", "--gather", self.jobs).stderr.splitlines()
        self.assertEqual([line.split()[-1] for line in text], [want[0][-1]] + [row[-1] for row in want[1:]])
        self.assertEqual([line.split()[-4] for line in text], [want[0][-4]] + [f"{int(row[-4]):,}" for row in want[1:]])

    def test_a_shard_runs_what_has_no_result(self):
        self.write([f"{PROGRAM} 0", f"{PROGRAM} 1"])
        self.shard(0)
        first = self.jobs / "results/1.csv"
        before = first.stat().st_mtime_ns
        run = self.gather()
        self.assertEqual(run.returncode, 1)
        self.assertIn("1 of 2 programs have no result", run.stderr)
        self.assertIn("sbatch --array=1 ", run.stderr)
        self.assertEqual(len(self.table()), 3)
        for number in (0, 1, 1):
            self.assertEqual(self.shard(number).returncode, 0)
        self.assertEqual(first.stat().st_mtime_ns, before)
        self.assertEqual(self.gather().returncode, 0)

    @staticmethod
    def wait_for_group(group):
        """The script may be gone while the sweep still reports what it has. Nobody may reap what was killed."""
        with contextlib.suppress(ProcessLookupError):
            while True:
                os.killpg(group, 0)
                time.sleep(.05)

    def test_a_killed_shard_leaves_no_result(self):
        """The program complains, then it waits."""
        self.write([f"{PROGRAM} wait"])
        log = self.jobs / "results/1.log"
        for number in (signal.SIGKILL, signal.SIGTERM):
            with self.subTest(number):
                log.unlink(missing_ok=True)
                job = subprocess.Popen(["sh", self.jobs / "sweep.sh", "0"], env=self.environment,
                                       start_new_session=True, stderr=subprocess.DEVNULL)
                while "complaint" not in (log.read_text() if log.exists() else ""):
                    time.sleep(.05)
                os.killpg(job.pid, number)
                self.assertNotEqual(job.wait(), 0)
                self.wait_for_group(job.pid)
                self.assertFalse((self.jobs / "results/1.csv").exists())
        self.assertIn("--array=0 ", self.gather().stderr)

    def test_many_programs_are_no_more_shards_than_slurm_takes(self):
        said = self.write([f"{PROGRAM} {i % 2}" for i in range(2500)])
        self.assertIn("2500 programs in 834 shards", said)
        self.assertIn("--array=0-833\n", (self.jobs / "sweep.sh").read_text())
        self.assertEqual(self.shard(833).returncode, 0)
        self.assertEqual([path.name for path in (self.jobs / "results").glob("*.csv")], ["2500.csv"])

    def test_missing_shards_are_ranges(self):
        lines = [f"{PROGRAM} {i % 2}" for i in range(300)]
        self.write(lines)
        for number in (0, 2, 17, 299):
            self.assertEqual(self.shard(number).returncode, 0)
        run = self.gather()
        self.assertEqual(run.returncode, 1)
        self.assertIn("296 of 300 programs have no result", run.stderr)
        self.assertIn("--array=1,3-16,18-298 ", run.stderr)

    def test_many_missing_ranges_are_named_to_the_last(self):
        lines = [f"{PROGRAM} {i}" for i in range(400)]
        self.write(lines)
        self.shard(0)
        for number in range(0, 400, 2):
            (self.jobs / f"results/{number + 1}.csv").write_bytes((self.jobs / "results/1.csv").read_bytes())
        self.assertIn("--array=" + ",".join(map(str, range(1, 400, 2))) + " ", self.gather().stderr)

    def test_a_shard_out_of_range_is_an_error(self):
        self.write([f"{PROGRAM} 0", f"{PROGRAM} 1"])
        for number in ("2", "-1", "1000", "x", "1x", "99999999999999999999"):
            with self.subTest(number):
                run = self.shard(number)
                self.assertEqual(run.returncode, 2, run.stderr)
                self.assertIn("they are 0 to 1", run.stderr)

    def test_names_are_no_commands(self):
        """Of the folder, of the folder it is made in, and of armpmu itself."""
        self.folder = self.folder / "a $(touch made) `touch made` 'b\"c"
        self.folder.mkdir()
        self.jobs = self.folder / "jobs $(touch made) `touch made`"
        run = self.armpmu("sweep", "--slurm", self.jobs, *VARIED, "--", PROGRAM, "0")
        self.assertEqual(run.returncode, 0, run.stderr)
        copy = self.folder / "armpmu"
        script = (self.jobs / "sweep.sh").read_text()
        self.assertNotIn('"${ARMPMU:-/', script)
        copy.symlink_to(ARMPMU)
        for command in run.stdout.split("sbatch ")[1].splitlines()[0], run.stdout.split("--gather ")[1].splitlines()[0]:
            said = subprocess.run(["sh", "-c", f"printf %s {command}"], capture_output=True, text=True, check=True,
                                  cwd=self.folder)
            self.assertIn(str(self.jobs), said.stdout)
        self.assertEqual(self.shard(0, cwd=self.folder).returncode, 0)
        self.assertEqual(self.gather().returncode, 0)
        self.assertEqual([*self.folder.rglob("made")], [])

    def edit(self, number, old, new):
        path = self.jobs / f"results/{number}.csv"
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))

    def test_results_of_other_runs_are_refused_by_their_shard(self):
        self.write([f"{PROGRAM} 0", f"{PROGRAM} 1"])
        self.shard(0)
        self.shard(1)
        whole = (self.jobs / "results/2.csv").read_text()
        self.assertRegex(whole, r"\A# armpmu \S+\n(# machine \S+ l2.size_kb=\d+ [0-9a-f]{16}\n){2}# QEMU \S.*\nmachine,")
        for old, new in (("# armpmu ", "# armpmu 9."), ("l2.size_kb=128 ", "l2.size_kb=64 "), ("# complete\n", ""),
                         ("# complete", "# not complete: killed by SIGKILL"),
                         (whole.splitlines()[-2] + "\n", ""), (whole.splitlines()[-2], "\n".join(whole.splitlines()[-3:-1]))):
            with self.subTest(old=old, new=new):
                self.edit(2, old, new)
                run = self.gather()
                self.assertEqual(run.returncode, 125, run.stdout)
                self.assertIn("results/2.csv'", run.stderr)
                self.assertIn("run its shard 1 again", run.stderr)
            (self.jobs / "results/2.csv").write_text(whole)
        self.assertEqual(self.gather().returncode, 0)

    def test_a_machine_file_that_changed_is_told(self):
        own = self.folder / "own.ini"
        own.write_text("[machine]\nname = own\nbase = cortex-a8\n[l2]\nsize_kb = 128\n")
        listed = self.folder / "list"
        listed.write_text(f"{PROGRAM} 0\n{PROGRAM} 1\n")
        words = ["sweep", "--slurm", self.jobs, "--programs", listed, "--machine", own]
        self.assertEqual(self.armpmu(*words).returncode, 0)
        self.assertEqual(self.shard(0).returncode, 0)
        own.write_text(own.read_text().replace("128", "256"))
        self.assertEqual(self.shard(1).returncode, 0)
        run = self.gather()
        self.assertEqual(run.returncode, 125)
        self.assertIn("results/2.csv' belongs to another sweep", run.stderr)
        run = self.armpmu(*words)
        self.assertEqual(run.returncode, 125)
        self.assertIn("machines' has other machines", run.stderr)

    def test_another_qemu_or_sysroot_is_told(self):
        listed = self.folder / "list"
        listed.write_text(f"{PROGRAM} 0\n{PROGRAM} 1\n")
        words = ["sweep", "--slurm", self.jobs, "--programs", listed, *VARIED]
        self.assertEqual(self.armpmu(*words, "--sysroot", "/").returncode, 0)
        for shard in (0, 1):
            self.assertEqual(self.shard(shard).returncode, 0)
        text = (self.jobs / "results/1.csv").read_text()
        self.assertRegex(text, r"(?m)^# QEMU \d+\.\d+\.\d+")
        self.assertIn("\n# sysroot /\n", text)
        run = self.armpmu(*words, "--sysroot", "/usr")
        self.assertEqual(run.returncode, 125)
        self.assertIn("machines' has other machines", run.stderr)
        for old, new in (("# QEMU ", "# QEMU 1"), ("# sysroot /", "# sysroot /usr")):
            (self.jobs / "results/2.csv").write_text(text.replace(old, new))
            run = self.gather()
            self.assertEqual(run.returncode, 125, run.stdout)
            self.assertIn(f"belongs to another sweep than the results before it: '{new[2:]}", run.stderr)

    def test_comments_are_of_csv(self):
        run = self.armpmu("sweep", "--comments", PROGRAM)
        self.assertEqual(run.returncode, 125)
        self.assertIn("only CSV has comments", run.stderr)

    def test_one_program_may_be_named(self):
        run = self.armpmu("sweep", "--slurm", self.jobs, *VARIED, "--", PROGRAM, "it's", "$HOME")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(self.shard(0).returncode, 0)
        self.assertEqual(self.gather().returncode, 0)
        self.assertIn("'it'\\''s' '$HOME'", self.table()[1][0])

    def test_a_program_that_cannot_run_is_told(self):
        self.write(["/no/such/program"])
        run = self.shard(0)
        self.assertEqual(run.returncode, 1)
        self.assertIn("no result of program 1", run.stderr)
        self.assertIn("/no/such/program", (self.jobs / "results/1.log").read_text())

    def test_what_does_not_fit_is_refused(self):
        self.write([f"{PROGRAM} 0"])
        (self.folder / "other").write_text("/bin/true\n")
        (self.folder / "empty").write_text("# nothing\n")
        for words, part in (
                (["--slurm", self.jobs, "--programs", self.folder / "other"], "has other programs"),
                (["--slurm", self.folder / "new", "--programs", self.folder / "empty"], "no command lines"),
                (["--slurm", self.folder / "new", "--programs", self.folder / "none"], "none"),
                (["--slurm", self.folder / "new"], "name a program"),
                (["--slurm", self.folder / "new", "--set", "l2.size_kb=3x", "--", PROGRAM], "l2.size_kb"),
                (["--programs", self.folder / "other", PROGRAM], "--programs is for --slurm"),
                (["--slurm", "a", "--gather", "b"], "leave one out"),
                (["--gather", self.folder / "nowhere"], "nowhere"),
                (["--gather", self.jobs, PROGRAM], "name no other")):
            with self.subTest(words=words):
                run = self.armpmu("sweep", *words)
                self.assertEqual(run.returncode, 125, run.stderr)
                self.assertIn(part, run.stderr)

    def test_a_result_that_is_not_whole_is_told(self):
        self.write([f"{PROGRAM} 0"])
        (self.jobs / "results/1.csv").write_text("machine,l2.size_kb,CPU_CYCLES\n")
        run = self.gather()
        self.assertEqual(run.returncode, 125)
        self.assertIn("1.csv' is incomplete", run.stderr)

    def test_a_result_of_a_broken_disk_is_told(self):
        """NUL bytes, or an end inside a row: neither a crash nor a table of what is before it."""
        for content in ("\0\0\0\n\0\0\n", "machine,CPU_CYCLES\ncortex-a8,\0\0\0\n", "machine,CPU_CYCLES\n1,"):
            with self.subTest(content):
                self.write([f"{PROGRAM} 0"])
                (self.jobs / "results/1.csv").write_text(content)
                run = self.gather()
                self.assertEqual((run.returncode, run.stdout), (125, ""), run)
                self.assertRegex(run.stderr, r"^armpmu: .*run its shard (\d+ )?again\n$")


if __name__ == "__main__":
    ARMPMU, PROGRAM, MACHINES = sys.argv[1:4]
    ARMPMU, PROGRAM = os.path.abspath(ARMPMU), os.path.abspath(PROGRAM)
    unittest.main(argv=sys.argv[:1])
