"""armpmu sweep: one execution on many machines has the counts of a run on each.

usage: sweep.py ARMPMU PROGRAM MACHINES
"""

import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

SVG = "{http://www.w3.org/2000/svg}"


def run(*words):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False,
                          env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES})


def report(*words):
    """Of a command, in a file: standard error is the program's, too."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report")
        done = run(*words, "-o", str(file), "--", PROGRAM)
        assert done.returncode == 0, done.stderr
        return file.read_text()


def sweep(*words):
    return report("sweep", *words)


def table(*words):
    return list(csv.DictReader(io.StringIO(sweep("--format", "csv", *words))))


def counts_of_stat(row):
    words = [f"--set={key}={value}" for key, value in row.items() if "." in key]
    lines = report("stat", "--machine", row["machine"], "-j", "-e", "all", *words).splitlines()
    return {line["event"]: line["counter-value"] for line in map(json.loads, lines) if "event" in line}


class Sweep(unittest.TestCase):
    def test_counts_are_those_of_single_runs(self):
        rows = table("-e", "all", "--machine", "cortex-a8,cortex-a8-am335x", "--set", "l2.size_kb=0,256",
                     "--set", "l1d.size_kb=16,32", "--seed", "1,2")
        self.assertEqual(len(rows), 16)
        for row in rows:
            with self.subTest(**{key: row[key] for key in row if "." in key}):
                wanted = counts_of_stat(row)
                self.assertEqual({name: row[name] for name in wanted if wanted[name] != "<no input>"},
                                 {name: count for name, count in wanted.items() if count != "<no input>"})
        self.assertGreater(len({row["CPU_CYCLES"] for row in rows}), 8)

    def test_machines_that_one_model_counts_have_the_counts_of_single_runs(self):
        rows = table("-e", "all", "--set", "l2.size_kb=8,256", "--set", "memory.latency_cycles=10,300")
        for row in rows:
            wanted = counts_of_stat(row)
            self.assertEqual({name: row[name] for name in wanted if wanted[name] != "<no input>"},
                             {name: count for name, count in wanted.items() if count != "<no input>"})
        self.assertEqual(len({row["CPU_CYCLES"] for row in rows}), 4)

    def test_a_trace_serves_as_well(self):
        words = ["-e", "all", "--format", "csv", "--machine", "cortex-a8,cortex-a8-am335x", "--set", "l2.size_kb=0,256"]
        with tempfile.TemporaryDirectory() as folder:
            trace, output = Path(folder, "trace"), Path(folder, "output")
            recorded = run("record", "--stable", "--trace", str(trace), "--", PROGRAM)
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
            swept = run("sweep", *words, "-o", str(output), "--replay", str(trace))
            self.assertEqual((swept.returncode, swept.stderr), (0, ""))
            self.assertEqual(output.read_text(), sweep("--stable", *words))
            self.assertIn("leave one of them out", run("sweep", "--replay", str(trace), "--", PROGRAM).stderr)
            self.assertIn("are for a program that runs", run("sweep", "--replay", str(trace), "--qemu", "/none").stderr)
            self.assertIn("is of a program on", run("sweep", "-e", "cycles", "--machine", "pxa255", "--replay", str(trace)).stderr)

    def test_the_last_key_changes_fastest(self):
        rows = table("--set", "l2.size_kb=128,256", "--set", "l1d.size_kb=16,32")
        self.assertEqual([(row["l2.size_kb"], row["l1d.size_kb"]) for row in rows],
                         [("128", "16"), ("128", "32"), ("256", "16"), ("256", "32")])

    def test_formats_say_the_same(self):
        words = ["--set", "l2.size_kb=128,256", "-e", "cycles,L2_CACHE_MISS"]
        rows = table(*words)
        document = json.loads(sweep("-j=1", *words))
        lines = [json.loads(line) for line in sweep("-j", *words).splitlines()]
        ending = {"program": str(PROGRAM), "is-complete": True}
        self.assertEqual([{**machine, **ending} for machine in document["machines"]], lines)
        self.assertLessEqual(ending.items(), document.items())
        text = sweep(*words)
        for row, line in zip(rows, document["machines"], strict=True):
            self.assertEqual(line["settings"], {"l2.size_kb": row["l2.size_kb"]})
            self.assertEqual(line["counts"], {name: int(row[name]) for name in ("CPU_CYCLES", "L2_CACHE_MISS")})
            self.assertIn(f"{int(row['CPU_CYCLES']):,}", text)

    def test_metrics_are_those_of_the_counts_beside_them(self):
        words = ["-e", "cycles,instructions,L1D_CACHE_REFILL", "-M", "ipc,l1d_mpki", "--set", "l1d.size_kb=16,32"]
        machines = json.loads(sweep("-j=1", *words))["machines"]
        rows = table(*words)
        self.assertEqual(list(rows[0])[-2:], list(machines[0]["metrics"]))
        text = sweep(*words)
        for row, machine in zip(rows, machines, strict=True):
            cycles, instructions, misses = (int(row[name]) for name in ("CPU_CYCLES", "INST_RETIRED", "L1D_CACHE_REFILL"))
            wanted = {"ipc": instructions / cycles, "l1d_mpki": 1000 * misses / instructions}
            for name, value in wanted.items():
                self.assertEqual([machine["metrics"][name], float(row[name])], [round(value, 6)] * 2)
                self.assertIn(f"  {value:.2f}", text)
        self.assertEqual(rows, table("-e", "cycles,instructions", "-e", "L1D_CACHE_REFILL", "-M", "ipc", "-M", "l1d_mpki",
                                     "--set", "l1d.size_kb=16,32"))

    def test_a_plot_has_a_point_for_each_count(self):
        with tempfile.TemporaryDirectory() as folder:
            svg, page = Path(folder, "plot.svg"), Path(folder, "plot.html")
            words = ["--set", "l1d.size_kb=16,32", "--set", "l2.size_kb=64,128,256", "-e", "cycles,cache-misses"]
            for file in (svg, page):
                sweep(*words, "--plot", file)
            root = xml.etree.ElementTree.parse(svg).getroot()
            points = [int(title.text.rpartition(": ")[2]) for title in root.iter(SVG + "title")]
            self.assertEqual(len(list(root.iter(SVG + "polyline"))), 4)
            rows = table(*words)
            self.assertEqual(sorted(points), sorted(int(row[name]) for row in rows
                                                    for name in ("CPU_CYCLES", "L1D_CACHE_REFILL")))
            data = re.search(r'id="data">(.*?)</script>', page.read_text(), re.S)[1]
            self.assertEqual(json.loads(data)["sweep"], json.loads(sweep("-j=1", *words)))

    def test_the_exit_status_is_the_programs(self):
        self.assertEqual(run("sweep", "--", "/nowhere/program").returncode, 127)

    def test_what_is_wrong_is_told(self):
        for words, sentence in (
                (["--set", "l2.size=1,2"], "--set l2.size=1: [l2] has no key 'size'"),
                (["--set", "l2.size_kb=128,,256"], "l2.size_kb: a value is empty"),
                (["--set", "l2.size_kb"], "must be KEY=VALUE,VALUE"),
                (["--set", "random.seed=" + ",".join(map(str, range(1001)))], "more than 1000 machines"),
                (["--machine", "cortex-a8,pxa255"], "different emulated processors"),
                (["--machine", "cortex-a8,cortex-a9"], "no machine is called 'cortex-a9'"),
                (["--plot", "plot.png"], "must end in .svg or .html"),
                (["-M", "l1d_mpk"], "-M: Arm Cortex-A8 has no metric and no group 'l1d_mpk'; did you mean"),
                (["-e", "nothing"], "nothing")):
            done = run("sweep", *words, "--", PROGRAM)
            with self.subTest(words=words):
                self.assertEqual((done.returncode, done.stdout), (125, ""))
                self.assertIn(sentence, done.stderr)


if __name__ == "__main__":
    ARMPMU, PROGRAM, MACHINES = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
