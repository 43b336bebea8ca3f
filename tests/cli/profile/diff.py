"""armpmu diff of the sample profile and changed copies of it, of outputs of armpmu stat -j, and of two real runs.

usage: diff.py ARMPMU SAMPLE_FILE FOLDER_OF_THE_GUEST_MODULE [--update]

With --update the golden files are written instead; read the difference before you commit it.
"""

import json
import subprocess
import sys

sys.path.insert(0, sys.argv[3])

import guest  # noqa: E402
from sample_case import ARMPMU, SampleCase, main  # noqa: E402

# fib takes twice its cycles, memcpy is gone, the load of list::sum misses more.
CHANGE = """
UPDATE count SET n = 2 * n WHERE event = 0 AND insn IN (5, 6);
DELETE FROM count WHERE insn = 10;
UPDATE count SET n = n + 50 WHERE event = 2 AND insn = 8 AND thread = 0;
UPDATE total SET n = (SELECT sum(n) FROM count WHERE event = total.event);
DELETE FROM interval;
"""
# count is a view of counts that places share: a table of that name is changed in its stead, and becomes counts that each
# place has for itself.
COUNT = "CREATE TEMP TABLE count AS SELECT * FROM main.count;"
OWN_COUNTS = """
CREATE TEMP TABLE place AS SELECT DISTINCT thread, path, insn FROM count;
DELETE FROM counts;
INSERT INTO counts SELECT thread, path, insn, rowid - 1 FROM place;
DELETE FROM tally;
INSERT INTO tally SELECT place.rowid - 1, event, n FROM count JOIN place USING (thread, path, insn);
"""
LIMITS = ["--fail-above", "INST_RETIRED=0", "--fail-above", "l1d_mpki=1.5", "--fail-above=BR_MIS_PRED=0"]

# Golden file, the words behind "armpmu diff", and the exit status.
GOLDEN = [
    ("text", ["a.data", "b.data"], 0),
    ("text-failed", ["b.data", "a.data", "-e", "r03", "--percent-limit", "20", *LIMITS], 3),
    ("md", ["a.data", "b.data", "--format=md", "--percent-limit=1"], 0),
    ("text-events", ["a.data", "b.data", "-e", "L1D_CACHE_REFILL,cycles,instructions"], 0),
    ("md-events", ["b.data", "a.data", "-e", "cycles,r03,cycles", "--format=md"], 0),
    ("json-events", ["b.data", "a.data", "-j", "-e", "cycles,r03"], 0),
    ("json", ["b.data", "a.data", "-j", *LIMITS], 3),
    ("github", ["b.data", "a.data", "--format=github", "-e", "instructions", *LIMITS], 3),
    ("comment", ["b.data", "a.data", "--comment", "./sample on cortex-a8", "--link", "https://example.org/page", *LIMITS], 3),
    ("same", ["a.data", "a.data"], 0),
    ("stat", ["a.json", "b.json"], 0),
    ("stat-and-record", ["a.json", "a.data", "--fail-above", "cycles=100"], 3),
    ("help", ["--help"], 0),
]

REFUSED = [
    ("a.data", "diff: two files are compared, before and after; see 'armpmu help diff'"),
    ("a.data b.data a.data", "diff: two files are compared, before and after; see 'armpmu help diff'"),
    ("a.data a.data --comment a-->b", "--comment 'a-->b': a name without '<', '>', '`' and line ends"),
    ("a.data a.data --comment a --link a>b", "--link 'a>b': an address without '<', '>' and line ends"),
    ("a.data a.data --comment a -j", "--comment is Markdown: leave -j out"),
    ("a.data a.data --link a", "--link needs --comment"),
    ("a.data nowhere", "cannot open 'nowhere': No such file or directory; 'armpmu stat -j -o FILE' and "
     "'armpmu record' write what is compared"),
    ("a.data text", "'text' is not a profile: not an SQLite database; give a file that 'armpmu record' wrote"),
    ("empty.json a.data", "empty.json:1: no event and counter-value; 'armpmu stat -j' prints them"),
    ("broken.json a.data", "broken.json:2: no JSON object, as 'armpmu stat -j' prints on each line"),
    ("part.json a.data", "part.json:1: counts of a part of a run (interval, thread, process, cpu or mode); compare totals"),
    ("none.json a.data", "none.json: no event was counted"),
    ("other.json a.data", "'other.json' and 'a.data' have no event in common"),
    ("-e L2_ACCESS a.data b.data", "-e 'L2_ACCESS': no event of both files"),
    ("-e cycles,,r03 a.data b.data", "-e '': no event of both files"),
    ("--fail-above cycles a.data b.data",
     "--fail-above 'cycles': an event or metric and percent, like cycles=2.5"),
    ("--fail-above cycles=-1 a.data b.data",
     "--fail-above 'cycles=-1': an event or metric and percent, like cycles=2.5"),
    ("--fail-above l2_mpki=1 a.data b.data", "--fail-above 'l2_mpki': no event or metric of both files"),
]


def stat_line(event, number, n, **more):
    return json.dumps({"counter-value": n, "unit": "occurrences", "event": event, "number": number,
                       "machine": "cortex-a8"} | more) + "\n"


class Diff(SampleCase):
    command = ["diff"]
    golden_folder = "diff"
    golden = GOLDEN
    refused = REFUSED
    profiles = ["a.data", "b.data"]

    def setUp(self):
        super().setUp()
        self.change_counts(CHANGE)
        cycles, misses = stat_line("cycles", "0x11", "1000"), stat_line("L1D_CACHE_REFILL", "0x03", "0")
        for name, text in (("a.json", cycles + misses + stat_line("r08", "0x08", "<not counted>")),
                           ("b.json", stat_line("CPU_CYCLES", "0x11", "1100") + misses.replace('"0"', '"5"')),
                           ("text", "hello\n"), ("empty.json", "{}\n"), ("broken.json", cycles + "{\n"),
                           ("part.json", stat_line("cycles", "0x11", "1", interval=1.0)),
                           ("none.json", stat_line("cycles", "0x11", "<not counted>")),
                           ("other.json", stat_line("L2_ACCESS", "0x43", "1"))):
            (self.folder / name).write_text(text, encoding="utf-8")

    def change_counts(self, sql):
        self.change(COUNT + sql + OWN_COUNTS, "b.data")

    def test_output_is_the_golden_one(self):
        self.check_golden()

    def test_what_is_wrong_is_refused(self):
        self.check_refused()

    def test_what_rose_is_named(self):
        answer = self.run_it("a.data", "b.data", "--fail-above", "r03=-0", "--fail-above", "CPU_CYCLES=0",
                             "--fail-above", "branch_mpki=8.7")
        self.assertEqual(answer.returncode, 3)
        self.assertEqual(answer.stderr, "armpmu: branch_mpki rose by 8.76 % (7.407 to 8.056), the limit is 8.7 %\n")
        self.assertEqual(self.run_it("a.data", "b.data", "--fail-above", "branch_mpki=8.8").returncode, 0)

    def test_on_github_standard_error_has_annotations(self):
        words = ["a.data", "b.data", "--format=md", "--fail-above", "branch_mpki=8.7"]
        answer = self.run_it(*words, GITHUB_ACTIONS="true")
        self.assertEqual(answer.stderr, "::error title=armpmu diff::branch_mpki rose by 8.76 %25 (7.407 to 8.056), "
                                        "the limit is 8.7 %25\n")
        self.assertEqual(answer.stdout, self.run_it(*words).stdout)

    def test_comments_show_names_as_they_are(self):
        for data in ("a.data", "b.data"):
            self.change("UPDATE function SET name = '__init__' WHERE name = 'fib'; UPDATE function SET name = 'a::~a(b<c>, $d)|_' WHERE name = 'memcpy'", data)
        shown = self.output("a.data", "b.data", "--comment", "./a--b *_@me_*", "--link", "http://a/(b) c")
        self.assertTrue(shown.startswith("<!-- armpmu diff: ./a--b *_@me_* -->\n### armpmu: `./a--b *_@me_*`\n"), shown)
        self.assertIn("\n| \\_\\_init\\_\\_ |", shown)
        self.assertIn("\n| a::\\~a(b\\<c\\>, \\$d)\\|\\_ |", shown)
        self.assertIn("\n| CPU_CYCLES |", shown)
        self.assertIn("](<http://a/(b) c>)\n", shown)

    def test_changes_of_code_add_up(self):
        rows = [json.loads(line) for line in self.run_it("a.data", "b.data", "-j", "--percent-limit=0").stdout.splitlines()]
        total = [row["change"] for row in rows if row["name"] == "CPU_CYCLES"]
        for kind in ("function", "line"):
            self.assertEqual([sum(row["change"] for row in rows if row["kind"] == kind)], total)

    def test_github_shows_lines_where_an_event_rose(self):
        self.change_counts("UPDATE count SET n = 9 * n WHERE event = 0 AND insn IN (5, 8);"
                           f"UPDATE file SET path = '{self.folder}/a,b.c' WHERE path LIKE '%prog.cc';"
                           "UPDATE total SET n = (SELECT sum(n) FROM count WHERE event = total.event);")
        shown = self.run_it("a.data", "b.data", "--format=github", "--fail-above", "cycles=1").stdout.splitlines()
        self.assertIn("::error title=armpmu diff::CPU_CYCLES rose by", shown[0])
        self.assertEqual(shown[1:], [
            "::warning file=/opt/demo/list.h,line=13,title=armpmu diff::CPU_CYCLES rose by 64,000 (+800.00 %25)",
            "::warning file=a%2Cb.c,line=21,title=armpmu diff::CPU_CYCLES rose by 6,240 (new)",
            "::warning file=a%2Cb.c,line=42,title=armpmu diff::CPU_CYCLES rose by 40 (new)"])

    def test_what_costs_cycles_is_first(self):
        """Instructions moved by more, and misses by more percent, but their cost is not known in cycles."""
        events = (("CPU_CYCLES", "0x11"), ("INST_RETIRED", "0x08"), ("L1D_CACHE_REFILL", "0x03"),
                  ("ISSUE_EMPTY_CYCLES", "0x56"))
        for name, counts in (("a", (1000, 5000, 10, 200)), ("b", (1010, 9000, 90, 150))):
            (self.folder / f"{name}.json").write_text(
                "".join(stat_line(*event, str(n)) for event, n in zip(events, counts)), encoding="utf-8")
        rows = [json.loads(line) for line in self.output("a.json", "b.json", "-j").splitlines()]
        self.assertEqual([row["name"] for row in rows if row["kind"] == "event"],
                         ["ISSUE_EMPTY_CYCLES", "CPU_CYCLES", "INST_RETIRED", "L1D_CACHE_REFILL"])

    def test_what_changed_is_shown_after_cycles_that_did_not(self):
        for name, counts in (("a", (1000, 200, 10)), ("b", (1010, 200, 90))):
            events = ("CPU_CYCLES", "0x11"), ("ISSUE_EMPTY_CYCLES", "0x56"), ("L1D_CACHE_REFILL", "0x03")
            (self.folder / f"{name}.json").write_text(
                "".join(stat_line(*event, str(n)) for event, n in zip(events, counts)), encoding="utf-8")
        for words in (), ("--format=md",):
            shown = self.output("a.json", "b.json", *words)
            self.assertIn("L1D_CACHE_REFILL", shown)
            self.assertNotIn("ISSUE_EMPTY_CYCLES", shown)

    def test_what_is_new_or_gone_was_not_executed(self):
        """A function without a miss is not gone: only one that one of the runs did not execute."""
        self.change_counts("DELETE FROM count WHERE event = 2 AND insn = 8;"
                           "UPDATE total SET n = (SELECT sum(n) FROM count WHERE event = total.event);")
        rows = [json.loads(line) for line in self.output("a.data", "b.data", "-j", "-e", "L1D_CACHE_REFILL").splitlines()]
        states = {row["name"]: row.get("state") for row in rows if row["kind"] == "function"}
        self.assertEqual(states, {"list::sum(int)": None, "memcpy": "gone"})
        table = self.output("b.data", "a.data", "-e", "L1D_CACHE_REFILL")
        self.assertRegex(table, r" 900 +900 +from 0  list::sum")
        self.assertRegex(table, r" 100 +100 +new  memcpy")

    def test_what_cannot_be_compared_is_said(self):
        self.change("UPDATE meta SET value = 'other' WHERE key = 'machine_hash'", "b.data")
        self.assertEqual(self.run_it("a.data", "b.data").stderr,
                         "armpmu: warning: the runs are of different machines\n")
        self.change("UPDATE meta SET value = 'cortex-r4f' WHERE key = 'core';"
                    "UPDATE event SET name = 'MINE' WHERE id = 3", "b.data")
        answer = self.run_it("a.data", "b.data")
        self.assertEqual(answer.returncode, 0)
        self.assertEqual(answer.stderr.splitlines(), [
            "armpmu: warning: different cores: cortex-a8 and cortex-r4f; metrics are not compared",
            "armpmu: warning: only 'a.data' has BR_MIS_PRED: not compared",
            "armpmu: warning: only 'b.data' has MINE: not compared"])
        self.assertNotIn("metric", answer.stdout)

    def test_two_programs(self):
        missing = guest.missing_tools()
        if missing:
            self.skipTest(missing)
        source = self.folder / "loop.c"
        source.write_text("__attribute__((noinline)) void work(void)\n"
                          "{ for (volatile int i = 0; i < N; i++) ; }\nint main(void) { work(); }\n", encoding="ascii")
        for n in (1000, 2000):
            subprocess.run([guest.ARM.compiler, "-O1", "-g", "-static", f"-DN={n}", source, "-o",
                            self.folder / "loop"], check=True)
            for command, out in (("record", f"{n}.data"), ("stat", f"{n}.json")):
                subprocess.run([ARMPMU, command, *(["-j", "-e", "all"] if command == "stat" else ["-q"]), "-o", out,
                                "--", "./loop"], cwd=self.folder, check=True)
        for kind in ("data", "json"):
            answer = self.run_it(f"1000.{kind}", f"2000.{kind}", "--fail-above", "instructions=1", "-j")
            self.assertEqual(answer.returncode, 3, answer.stderr)
            rows = {(row["kind"], row["name"]): row for row in map(json.loads, answer.stdout.splitlines())}
            self.assertGreaterEqual(rows["event", "INST_RETIRED"]["change"], 5000)
            self.assertEqual(("function", "work") in rows, kind == "data")
            self.assertEqual(self.run_it(f"2000.{kind}", f"1000.{kind}", "--fail-above", "instructions=1").returncode, 0)


if __name__ == "__main__":
    main()
