"""What armpmu whatif predicts for a cure, beside the program that has the cure built in.

usage: whatif_cures.py ARMPMU MACHINES PROGRAM SOURCE [--table]

--table prints the table of docs/whatif.md.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# Each case: the cure, the line's comment in the source or the function's name, and how far the prediction may be off, in percent of the slow
# program's cycles; why, where the cure is not the same thing.
CASES = {
    "prefetch": ("prefetch", "prefetch", 10, "PRFM 32 turns ahead"),
    "structure": ("level1", "structure of arrays", 10, "a structure of arrays, which level 1 holds"),
    "sorting": ("branch", "sorting", 10, "the numbers are sorted before the branch"),
    "branchless": ("branch", "sorting", 10, "a conditional select in place of the branch"),
    "pages": ("tlb", "huge pages", 10, "the same lines in eight pages, as in one huge page"),
    "stores": ("stores", "stores", 10, "stores into 32 KB, not all over 4 MB"),
    "latency": ("latency", "latency", 10, "an operation of one cycle in the chain"),
    "blocking": ("level2", "blocking", 10, "256 KB at a time, which level 2 holds"),
    "unrolling": ("latency", "unrolling", 15, "four chains of multiplications in place of one"),  # .75 cycles, not 1
    "padding": ("level1", "padding", 10, "rows a line longer, so that columns do not share a set"),
    "alignment": ("stores", "alignment", 10, "stores within lines, not across their ends"),
    "layout": ("code", "code_apart", 10, "code side by side, 8 KB in place of 256 KB"),
}

# The same of data, by its name; and further options. With pages of 64 KB sets are known by the address in the program.
DATA = {
    "sets": ("conflicts", "weights", 10, "two structures in different sets", "--set", "memory.page_kb=64"),
    "split": ("level1", "heap block of 2097152 bytes from run ", 10, "the member that is used in a block of its own"),
    # Each tile comes from memory once, in the first of 16 passes.
    "tiles": ("level2", "heap block of 2097152 bytes from run ", 15, "a table in tiles of 256 KB"),
    "padding": ("conflicts", "large", 10, "rows a line longer, so that columns do not share a set"),
    "pages": ("tlb", "large", 10, "the same lines in eight pages, as in one huge page"),
}


def report(command, case, way, *words):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report")
        done = subprocess.run([ARMPMU, command, "--stable", "--machine", "neoverse-n1", "-o", str(file), *words, "--",
                               PROGRAM, case, way], capture_output=True, text=True, check=False,
                              env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES})
        assert done.returncode == 0, done.stderr
        return file.read_text()


def place_of(text):
    """The line with this comment; without one, the function of this name."""
    numbers = [number for number, line in enumerate(Path(SOURCE).read_text().splitlines(), 1) if f"/* {text} */" in line]
    return f"{Path(SOURCE).name}:{numbers[0]}" if numbers else text


def cycles_of_cured(case, *words):
    lines = report("stat", case, "cured", "-j", "-e", "cycles", *words).splitlines()
    [line] = [line for line in lines if "CPU_CYCLES" in line]
    return int(json.loads(line)["counter-value"])


def measure(case):
    cure, text = CASES[case][:2]
    document = json.loads(report("whatif", case, "slow", "--places", "20", "-j=1"))
    place = place_of(text)
    rows = [row for row in document["trials"] if row.get("cure") == cure and row["place"] == place]
    assert rows, f"{case}: no row cures {cure} at {place}: " + str([row["what-if"] for row in document["trials"]])
    return document["cycles"], rows[0]["cycles"], cycles_of_cured(case)


def measure_data(case):
    cure, name, _, _, *words = DATA[case]
    document = json.loads(report("whatif", case, "slow", "--by", "data", "--places", "8", "-j=1", *words))
    rows = [row for row in document["trials"] if row.get("cure") == cure and row["place"].startswith(name)]
    assert rows, f"{case}: no row cures {cure} of {name}: " + str([row["what-if"] for row in document["trials"]])
    return document["cycles"], rows[0]["cycles"], cycles_of_cured(case, *words)


def percent(before, after):
    return 100 * (after - before) / before


class Cures(unittest.TestCase):
    def test_predictions_are_what_the_cure_brings(self):
        for case, (_, _, limit, _) in CASES.items():
            with self.subTest(case=case):
                before, predicted, cured = measure(case)
                self.assertLess(predicted, before)
                self.assertLess(cured, before)
                self.assertLessEqual(abs(predicted - cured), before * limit / 100)


    def test_predictions_for_data(self):
        for case, (_, _, limit, *_) in DATA.items():
            with self.subTest(case=case):
                before, predicted, cured = measure_data(case)
                self.assertLess(predicted, before)
                self.assertLess(cured, before)
                self.assertLessEqual(abs(predicted - cured), before * limit / 100)


class Data(unittest.TestCase):
    def test_data_that_several_lines_miss_on_is_beside_lines(self):
        """Two lines load from one block: each is a place, and the block saves as much as both."""
        document = json.loads(report("whatif", "split", "slow", "-j=1"))
        saved = {row["place"]: row["cycles-saved"] for row in document["trials"] if row.get("cure") == "level1"}
        blocks = [place for place in saved if place.startswith("heap block")]
        lines = [place for place in saved if place.startswith(Path(SOURCE).name)]
        self.assertEqual((len(blocks), len(lines)), (1, 2))
        self.assertGreater(saved[blocks[0]], 0.95 * sum(saved[line] for line in lines))
        for row in document["trials"]:
            if row.get("place") in blocks:
                self.assertNotIn("place-before", row)

    def test_data_of_one_line_is_its_row(self):
        """chase() alone uses the numbers, in one line: only what a line cannot have is asked of the data."""
        document = json.loads(report("whatif", "blocking", "slow", "-j=1"))
        cures = {row["cure"] for row in document["trials"] if row.get("place") == "large"}
        self.assertLessEqual(cures, {"conflicts"})

    def test_text_has_no_columns_of_places(self):
        head = report("whatif", "sets", "slow", "--by", "data", "--places", "1").splitlines()[3]
        self.assertEqual(head.split(), ["cycles-saved", "percent", "cycles", "what-if", "change"])


class Beside(unittest.TestCase):
    """What a report says is shown beside the line in annotate and in the page."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.report, self.profile, self.page = (str(Path(folder.name, name)) for name in ("report", "profile", "page"))
        Path(self.report).write_text(report("whatif", "padding", "slow", "--places", "2", "-j=1"))
        self.armpmu("record", "--stable", "--machine", "neoverse-n1", "-e", "cycles", "-o", self.profile, "--", PROGRAM,
                    "padding", "slow")

    def armpmu(self, *words, status=0):
        done = subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "ARMPMU_MACHINE_PATH": MACHINES})
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout if status == 0 else done.stderr

    def percent(self, text):
        [row] = [row for row in json.loads(Path(self.report).read_text())["trials"] if row["what-if"] == text]
        return f"{row['percent']:+.1f}"

    def test_annotate_and_the_page(self):
        text = f"{place_of('padding')} hit level 1"
        shown = self.armpmu("annotate", "-i", self.profile, "--whatif", self.report, "columns").splitlines()
        [line] = [number for number, line in enumerate(shown) if "/* padding */" in line]
        self.assertIn(f"^ if {text}: {self.percent(text)} % of all cycles", "\n".join(shown[line:line + 6]))
        self.armpmu("convert", "--to", "html", "-i", self.profile, "--whatif", self.report, "-o", self.page)
        page = Path(self.page).read_text()
        rows = json.loads(page.split('id="data">')[1].split("</script>")[0])["whatif"]
        [row] = [row for row in rows if row["text"] == text]
        self.assertEqual((row["place"], f"{row['percent']:+.1f}"), (place_of("padding"), self.percent(text)))
        self.assertIn("memory had half the latency", [row["text"] for row in rows if "place" not in row])

    def test_files_that_are_no_such_report(self):
        for content, said in (("{", "no JSON document"), ("{}", "no report of armpmu whatif"),
                              ('{"schema": "armpmu-whatif", "trials": []}', "another version"),
                              ('{"schema": "armpmu-whatif", "schema-version": 1, "machine": "altra", "trials": [{}]}',
                               "of machine altra, but the profile is of neoverse-n1")):
            Path(self.report).write_text(content)
            for words in (("annotate",), ("convert", "--to", "html", "-o", self.page)):
                self.assertIn(said, self.armpmu(*words, "-i", self.profile, "--whatif", self.report, status=125))
        missing = self.armpmu("annotate", "-i", self.profile, "--whatif", "/no/file", status=125)
        self.assertIn("cannot read '/no/file': No such file or directory; name a report of armpmu whatif", missing)
        other = self.armpmu("convert", "--to", "speedscope", "-i", self.profile, "--whatif", self.report, status=125)
        self.assertIn("--whatif is for '--to html' alone", other)


def table():
    rows = [(cure, what, measure(case)) for case, (cure, _, _, what) in CASES.items()]
    rows += [(cure, what, measure_data(case)) for case, (cure, _, _, what, *_) in DATA.items()]
    for cure, what, (before, predicted, cured) in rows:
        print(f"| {what} | `{cure}` | {before:,} | {percent(before, predicted):.1f} % | {percent(before, cured):.1f} % |")


if __name__ == "__main__":
    ARMPMU, MACHINES, PROGRAM, SOURCE = sys.argv[1:5]
    if sys.argv[5:] == ["--table"]:
        table()
    else:
        unittest.main(argv=sys.argv[:1])
