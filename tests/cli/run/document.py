"""armpmu stat --json=1 and armpmu guest --json=1, on engines of known counts: the schema, and what -j says.

usage: document.py ARMPMU MACHINES SCHEMA
"""

import copy
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed: the schema is not checked")
    sys.exit(77)

ARMPMU = str(Path(sys.argv[1]).resolve())
SCHEMA = json.loads(Path(sys.argv[3]).read_text(encoding="utf-8"))

# Words of armpmu stat, its program last.
RUNS = [
    ["work", "-a", "file"], ["-e", "cycles,r03,a8/r08,name=mine/,L1D_*", "work"], ["-n", "work"],
    ["-e", "cycles,PMUEXTIN0", "work"], ["-d", "-d", "pins"], ["-r", "3", "-e", "cycles,r03", "noisy"],
    ["-I", "20", "-e", "cycles", "work"], ["--per-thread", "-e", "cycles", "threads"],
    ["--per-process", "-e", "cycles", "threads"],
    ["--mode", "hw", "-e", "cycles,r03,r58", "long"], ["-e", "cycles", "interrupted"], ["-e", "all", "exec"],
    ["-e", "cycles", "exit", "7"], ["--stable", "-e", "cycles", "work"], ["--machine", "pxa255", "work"],
    ["--machine", "neoverse-v1", "-e", "all", "work"]]
GUESTS = [["-e", "cycles,r58", "two"], ["--per-cpu", "-I", "5", "-e", "cycles", "two"], ["idle"],
          ["-e", "cycles", "interrupted"]]


def run(command, options, words, folder=None):
    environment = {"PATH": os.environ["PATH"], "ARMPMU_MACHINE_PATH": sys.argv[2]}
    return subprocess.run([ARMPMU, command, *options, *words], env=environment, cwd=folder, text=True,
                          capture_output=True, check=False)


def document(command, words):
    with tempfile.TemporaryDirectory() as folder:
        answer = run(command, ["--json=1", "-o", "out.json"], words, folder)
        return json.loads(Path(folder, "out.json").read_text(encoding="ascii")), answer


class Document(unittest.TestCase):
    validator = jsonschema.Draft202012Validator(SCHEMA)

    def test_the_schema_is_one(self):
        jsonschema.Draft202012Validator.check_schema(SCHEMA)

    def test_documents_follow_the_schema(self):
        for command, runs in (("stat", RUNS), ("guest", GUESTS)):
            for words in runs:
                with self.subTest(command, words=words):
                    self.validator.validate(document(command, words)[0])

    def test_the_schema_refuses_others(self):
        """A member that is missing, one of another type, one too many: at each place of a real document."""
        good = document("stat", ["-e", "cycles,PMUEXTIN0", "work"])[0]
        n = 0
        for path in (), ("machine",), ("sections", 0), ("sections", 0, "events", 0), ("sections", 0, "events", 1), \
                ("sections", 0, "events", 0, "metrics", 0):
            at = good
            for step in path:
                at = at[step]
            for key in [*at, "another"]:
                for value in ([], {"x": 1}):
                    bad = copy.deepcopy(good)
                    place = bad
                    for step in path:
                        place = place[step]
                    place[key] = value
                    if key in ("metrics", "sections", "events") and value == []:
                        continue
                    self.assertFalse(self.validator.is_valid(bad), (path, key, value))
                    n += 1
        self.assertGreater(n, 60)
        for key in SCHEMA["required"]:
            self.assertFalse(self.validator.is_valid({k: v for k, v in good.items() if k != key}), key)

    def test_it_says_what_lines_say(self):
        for words in RUNS:
            with self.subTest(words=words):
                lines = [json.loads(line) for line in run("stat", ["-j"], words).stderr.splitlines()
                         if '"event"' in line]
                events = [event for section in document("stat", words)[0]["sections"] for event in section["events"]]
                self.assertEqual(len(lines), len(events))
                for line, event in zip(lines, events):
                    count = event.get("counter-value", event["count"])
                    self.assertEqual(line["counter-value"], event.get("state", str(count)))
                    self.assertEqual(line["name"], event["event"])
                    self.assertIn(line["event"], (event.get("label"), event.get("asked"), event["event"]))
                    for key in ("unit", "number", "fidelity"):
                        self.assertEqual(line[key], event[key])
                    if line["metric-unit"]:
                        self.assertAlmostEqual(float(line["metric-value"]), event["metrics"][0]["value"], delta=1e-6)

    def test_what_was_asked_for_stands_beside_what_it_is(self):
        events = document("stat", ["-e", "branch-misses,r08,arm_ac8::CYCLES,L1D_C*", "work"])[0]["sections"][0]["events"]
        self.assertEqual([(event["asked"], event["event"]) for event in events], [
            ("branch-misses", "BR_MIS_PRED"), ("r08", "INST_RETIRED"), ("arm_ac8::CYCLES", "CPU_CYCLES"),
            ("L1D_C*", "L1D_CACHE_REFILL"), ("L1D_C*", "L1D_CACHE")])
        self.assertNotIn("asked", document("stat", ["work"])[0]["sections"][0]["events"][0])

    def test_software_events_are_named_without_a_count(self):
        whole = document("stat", ["-e", "task-clock,cycles,page-faults:u", "work"])[0]
        self.assertEqual(whole["not-supported"], ["task-clock", "page-faults:u"])
        self.assertEqual([event["event"] for event in whole["sections"][0]["events"]], ["CPU_CYCLES"])

    def test_the_hash_is_of_the_values(self):
        """Another name of the same machine has the same one; another value another one."""
        with tempfile.TemporaryDirectory() as folder:
            for name, more in (("same", ""), ("other", "[l2]\nsize_kb = 512\n")):
                Path(folder, name + ".ini").write_text(f"[machine]\nname = {name}\nbase = cortex-a8\n{more}", encoding="ascii")
            files = [document("stat", ["--machine", f"{folder}/{name}.ini", "work"])[0]["machine"]
                     for name in ("same", "other")]
        named = document("stat", ["work"])[0]["machine"]
        self.assertEqual([named["asked"], named["core"]], ["cortex-a8", "cortex-a8"])
        self.assertEqual(files[0]["asked"], f"{folder}/same.ini")
        self.assertEqual(named["hash"], files[0]["hash"])
        self.assertNotEqual(named["hash"], files[1]["hash"])

    def test_how_it_ended(self):
        for words, status, complete in ((["work"], 0, True), (["exit", "7"], 7, True), (["interrupted"], 130, False)):
            found, answer = document("stat", words)
            self.assertEqual((found["exit-status"], found["complete"]), (status, complete))
            self.assertEqual(answer.returncode, status)
        self.assertEqual(found["interrupted"], 2)
        self.assertEqual(document("stat", ["work", "a b", "c"])[0]["command"], ["work", "a b", "c"])

    def test_it_can_be_compared(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, words in (("a.json", ["work"]), ("b.json", ["long"])):
                run("stat", ["--json=1", "-o", name], ["-e", "cycles,r08", *words], folder)
            run("stat", ["-j", "-o", "c.json"], ["-e", "cycles,r08", "long"], folder)
            run("stat", ["--json=1", "-I", "20", "-o", "parts.json"], ["-e", "cycles", "work"], folder)
            rose = [run("diff", ["-j", "--fail-above=cycles=1"], ["a.json", after], folder) for after in ("b.json", "c.json")]
            self.assertEqual((rose[0].returncode, rose[0].stdout, rose[0].stderr),
                             (3, rose[1].stdout, rose[1].stderr))
            self.assertIn('"before": 61284118, "after": 122568236000', rose[0].stdout)
            self.assertEqual(run("stat", ["--baseline", "a.json"], ["work"], folder).returncode, 0)
            parts = run("diff", [], ["parts.json", "a.json"], folder)
            self.assertEqual((parts.returncode, parts.stderr),
                             (125, "armpmu: parts.json: counts of parts of a run (interval, thread, process, cpu or mode); "
                                   "compare totals\n"))
            text = Path(folder, "a.json").read_text(encoding="ascii").replace('"schema-version": 1', '"schema-version": 2')
            Path(folder, "new.json").write_text(text, encoding="ascii")
            self.assertIn("armpmu: new.json: a document of another version than 1; use that armpmu\n",
                          run("diff", [], ["new.json", "a.json"], folder).stderr)

    def test_another_version_is_refused(self):
        answer = run("stat", ["--json=2"], ["work"])
        self.assertEqual((answer.returncode, answer.stderr),
                         (125, "armpmu: --json '2': the only version is 1; without a value, -j prints an object a line\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
