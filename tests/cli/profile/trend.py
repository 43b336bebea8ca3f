"""armpmu trend of histories that it appends to: tables, steps, causes, pictures, files that are wrong.

usage: trend.py ARMPMU_WITH_KNOWN_COUNTS MACHINES
"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

ARMPMU = str(Path(sys.argv[1]).resolve())
TEXT = """ armpmu trend: h.jsonl, 3 commits

 CPU_CYCLES    ▁▁█  +10.00 % since the first commit
 INST_RETIRED  ▁▁▁

 date        revision    CPU_CYCLES      %  INST_RETIRED  %
 2026-11-01  aaaaaaaaaa       1,000                  500
 2026-11-02  bbbbbbbbbb       1,000                  500
 2026-11-03  cccccccccc       1,100  10.00           500

 cccccccccc: another compiler: GCC: (known) 1.0 -> GCC: (known) 2.0; another machine: cortex-a8 -> pxa255
"""


class Trend(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def armpmu(self, *words, status=0, **variables):
        environment = os.environ | {"ARMPMU_MACHINE_PATH": sys.argv[2], "ARMPMU_MACHINE": ""} | variables
        answer = subprocess.run([ARMPMU, *words], cwd=self.folder, text=True, env=environment, capture_output=True,
                                check=False)
        self.assertEqual(answer.returncode, status, answer)
        return answer

    def write(self, *commits, name="h.jsonl"):
        lines = [json.dumps({"schema": "armpmu-history", "schema-version": 1, "machine": "cortex-a8",
                             "core": "cortex-a8"} | commit) + "\n" for commit in commits]
        (self.folder / name).write_text("".join(lines))

    def three(self):
        counts = {"CPU_CYCLES": 1000, "INST_RETIRED": 500}
        self.write({"revision": "a" * 40, "date": "2026-11-01T10:00:00Z", "counts": counts, "compiler": "GCC: (known) 1.0"},
                   {"revision": "b" * 40, "date": "2026-11-02", "counts": counts, "compiler": "GCC: (known) 1.0"},
                   {"revision": "c" * 40, "date": "2026-11-03", "counts": counts | {"CPU_CYCLES": 1100},
                    "compiler": "GCC: (known) 2.0", "machine": "pxa255"})

    def test_text_shows_steps_and_causes(self):
        self.three()
        self.assertEqual(self.armpmu("trend", "h.jsonl").stdout, TEXT)

    def test_json_has_whole_revisions(self):
        self.three()
        self.assertIn("-e 'L2_MISS': no event of", self.armpmu("trend", "-e", "r11,L2_MISS", "h.jsonl", status=125).stderr)
        rows = [json.loads(line) for line in self.armpmu("trend", "-j", "-e", "cycles", "h.jsonl").stdout.splitlines()]
        self.assertEqual(rows[1], {"date": "2026-11-02", "revision": "b" * 40, "CPU_CYCLES": 1000})
        self.assertEqual(rows[2]["CPU_CYCLES.percent"], 10)
        self.assertIn("another compiler", rows[2]["cause"])

    def test_names_of_revisions_are_whole(self):
        for n, name in enumerate(("release-2026.11.28", "\u00e9" * 9)):
            self.write({"revision": "a", "counts": {"A": 1}}, {"revision": name, "qemu": str(n), "counts": {"A": 1}})
            shown = self.armpmu("trend", "-e", "A", "h.jsonl").stdout
            self.assertIn(f" {name} ", shown)

    def test_events_of_regions(self):
        """An event is that of each region, unless one is named."""
        counts = {"sort/CPU_CYCLES": 10, "parse/CPU_CYCLES": 20, "sort/INST_RETIRED": 5}
        self.write({"revision": "a", "counts": counts}, {"revision": "b", "counts": counts | {"parse/CPU_CYCLES": 30}})
        for words, names in (([], ["sort/CPU_CYCLES", "parse/CPU_CYCLES", "sort/INST_RETIRED"]), (["-e", "cycles"], list(counts)[:2]),
                             (["-e", "parse/cycles"], ["parse/CPU_CYCLES"])):
            rows = [json.loads(line) for line in self.armpmu("trend", "-j", *words, "h.jsonl").stdout.splitlines()]
            self.assertEqual([key for key in rows[0] if "/" in key], names)
        self.assertEqual(rows[1]["parse/CPU_CYCLES.percent"], 50)

    def test_runs_are_appended(self):
        for options, program, compiler in [(["--json=1"], "work", "1.0"), (["-j"], "work", "1.0"), (["--json=1"], "long", "2")]:
            self.armpmu("stat", *options, "-e", "cycles,instructions", "-o", "c.json", "--", program, KNOWN_COMPILER=compiler)
            self.armpmu("trend", "--add", "c.json", "--revision", f"{program} {options}", "h.jsonl")
        rows = [json.loads(line) for line in (self.folder / "h.jsonl").read_text().splitlines()]
        self.assertEqual([row["counts"]["CPU_CYCLES"] for row in rows], [61284118, 61284118, 122568236000])
        self.assertEqual(rows[0]["compiler"], "1.0")
        self.assertEqual((rows[0]["qemu"], rows[0]["build-id"]), ("0.0", "0123abcd"))
        self.assertNotIn("compiler", rows[1])  # lines of -j have counts alone
        (self.folder / "h.jsonl").write_text((self.folder / "h.jsonl").read_text().rstrip("\n"))  # as some editors leave it
        # The commit was counted again: it is where it was.
        again = self.armpmu("trend", "--add", "c.json", "--revision", "work ['-j']", "h.jsonl").stdout
        self.assertIn("h.jsonl, 3 commits", again)

    def test_diff_names_versions_first(self):
        for name, compiler in [("a.json", "1.0"), ("b.json", "2.0")]:
            self.armpmu("stat", "--json=1", "-o", name, "--", "work", KNOWN_COMPILER=compiler)
        self.assertEqual(self.armpmu("diff", "a.json", "b.json").stdout,
                         " armpmu diff: a.json -> b.json\n\n Another compiler: 1.0 -> 2.0\n\n nothing changed\n")
        self.assertEqual(self.armpmu("diff", "--format=github", "a.json", "b.json").stdout, "::notice title=armpmu diff::Another compiler: 1.0 -> 2.0\n")
        self.assertEqual(json.loads(self.armpmu("diff", "-j", "a.json", "b.json").stdout),
                         {"kind": "version", "name": "compiler", "was": "1.0", "is": "2.0"})
        self.assertIn("Another compiler: 2.0 -> GCC: (known) 1.0",
                      self.armpmu("stat", "--baseline", "b.json", "--", "work").stderr)

    def test_pictures_are_xml(self):
        self.three()
        self.armpmu("trend", "--plot", "p.svg", "--badge", "b.svg", "h.jsonl")
        plot, badge = (ElementTree.parse(self.folder / name).getroot() for name in ("p.svg", "b.svg"))
        self.assertEqual(len(plot.findall(".//{*}circle")), 6)
        self.assertEqual([text.text for text in badge.findall(".//{*}text")], ["CPU_CYCLES", "1.1 k (+10.00 %)"])
        self.armpmu("trend", "--plot", "p.html", "h.jsonl")
        data = re.search(r'id="data">(.*?)</script>', (self.folder / "p.html").read_text(), re.S)[1]
        self.assertEqual(json.loads(data)["trend"], json.loads(self.armpmu("trend", "-j=1", "h.jsonl").stdout))
        for words, message in [(["--badge", "b.png"], "must end in .svg"), (["--plot", "p.png"], "must end in .svg or")]:
            self.assertIn(message, self.armpmu("trend", *words, "h.jsonl", status=125).stderr)
        self.write({"revision": "1", "counts": {"A": 1}}, {"revision": "2", "counts": {"A": 1, "B": 0}})
        self.assertIn("commit 1 has no B", self.armpmu("trend", "-e", "B", "--plot", "p.svg", "h.jsonl", status=125).stderr)

    def test_numbers_of_any_size(self):
        self.write({"revision": "1", "counts": {"A": 0}}, {"revision": "2", "counts": {"A": 2**63 - 1}})
        self.armpmu("trend", "-e", "A", "--plot", "p.svg", "--badge", "b.svg", "h.jsonl")
        self.assertIn("9223372.0 T", (self.folder / "b.svg").read_text())

    def test_wrong_files_are_refused(self):
        self.three()
        whole = (self.folder / "h.jsonl").read_text()
        for text, message in [
                ("", "x.jsonl: no commit; 'armpmu trend --add' appends one"),
                ("{}\n", "x.jsonl:1: no line of a history; 'armpmu trend --add' appends them"),
                (whole + "[", "x.jsonl:4: no line of a history"),
                (whole.replace('version": 1', 'version": 2', 1), "x.jsonl:1: a line of another version than 1"),
                (whole.replace("1000", "-1"), "x.jsonl:1: no counts, or an invalid one"),
                (whole.replace("a" * 40, ""), "x.jsonl:1: no revision")]:
            (self.folder / "x.jsonl").write_text(text)
            self.assertIn(message, self.armpmu("trend", "x.jsonl", status=125).stderr)
        for name in ("nowhere", "/"):
            self.assertIn("name a history, which 'armpmu trend --add' makes", self.armpmu("trend", name, status=125).stderr)
        self.assertIn("give both --add and --revision", self.armpmu("trend", "--add", "h.jsonl", "h.jsonl", status=125).stderr)
        chance = random.Random(1)
        for _ in range(150):
            damaged = bytearray(whole.encode())
            for _ in range(chance.randrange(1, 4)):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            (self.folder / "x.jsonl").write_bytes(damaged)
            answer = subprocess.run([ARMPMU, "trend", "x.jsonl"], cwd=self.folder, capture_output=True, check=False)
            self.assertIn(answer.returncode, (0, 125), damaged)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
