"""armpmu report and armpmu script of the sample profile, byte for byte; and what they do of others.

usage: report.py ARMPMU SAMPLE_FILE [--update]

With --update the golden files are written instead; read the difference before you commit it.
"""

import contextlib
import csv
import io
import json
import os
import pty
import sqlite3

from sample_case import SampleCase, main

# Golden file, and the words behind "armpmu".
GOLDEN = [
    ("text", ["report"]),
    ("text-line", ["report", "-s", "line", "-e", "cycles,L1D_CACHE_REFILL"]),
    ("text-insn", ["report", "--sort=insn,object", "-e", "L1D*", "--percent-limit", "1"]),
    ("text-thread", ["report", "-s", "tid", "-e", "all"]),
    ("text-object", ["report", "-s", "dso", "-e", "r11"]),
    ("text-children", ["report", "--children", "-e", "instructions,cycles"]),
    ("text-call-graph", ["report", "-g", "-e", "cycles"]),
    ("text-call-tree", ["report", "-G", "-e", "cycles,BR_MIS_PRED"]),
    ("json-call-tree", ["report", "-jG", "-e", "cycles", "--percent-limit=50"]),
    ("text-metrics", ["report", "-M", "ipc,branch_mpki", "-M", "L1D_mpki"]),
    ("text-metrics-call-tree", ["report", "-G", "-M", "ipc", "--percent-limit=5"]),
    ("csv-metrics", ["report", "-x,", "-s", "line", "-e", "L1D*", "-M", "l1d_mpki,branch_mpki"]),
    ("json-metrics", ["report", "-j", "--children", "-M", "branch_mpki"]),
    ("md-metrics", ["report", "--format=md", "-M", "branch_mpki"]),
    ("text-color", ["report", "--color=always", "-e", "cycles", "-g"]),
    ("csv", ["report", "-x,"]),
    ("csv-all-keys", ["report", "-x;", "-s", "thread,insn,line,symbol,object", "-e", "BR_MIS_PRED", "--children"]),
    ("json", ["report", "-j"]),
    ("json-call-graph", ["report", "-j", "-g", "--children", "-e", "cycles", "-s", "line,thread,insn"]),
    ("script", ["script"]),
    ("script-call-graph", ["script", "-g", "-e", "BR_MIS_PRED"]),
    ("help-report", ["report", "--help"]),
    ("help-script", ["script", "--help"]),
]

# Words behind "armpmu", and what is said about them.
REFUSED = [
    ("report -i nowhere", "cannot open 'nowhere': No such file or directory; 'armpmu record' writes it"),
    ("report armpmu.data", "report: 'armpmu.data': a profile is named with -i; see 'armpmu help report'"),
    ("report -e L2_CACHE_MISS", "-e 'L2_CACHE_MISS': not recorded; the profile has CPU_CYCLES, INST_RETIRED, "
                                "L1D_CACHE_REFILL, BR_MIS_PRED"),
    ("report -M l1d_mpk", "-M: Arm Cortex-A8 has no metric and no group 'l1d_mpk'; did you mean l1d_mpki or l1i_mpki?"),
    ("report -M branch", "-M: branch_miss_rate is made of BR_PRED, which was not recorded; 'armpmu record' without -e "
                         "records all events"),
    ("report -s line,place", "--sort 'place': symbol, object, line, insn or thread, separated by ','; for data "
     "accesses also mem, tlb, latency, symbol_daddr, type or typeoff"),
    ("report -s symbol,sym", "--sort: 'sym' is given twice"),
    ("report --percent-limit 101", "--percent-limit '101': a percentage from 0 to 100, like 0.5"),
    ("report --percent-limit nan", "--percent-limit 'nan': a percentage from 0 to 100, like 0.5"),
    ("report -j -x,", "-j and -x are two formats; choose one"),
    ("report -g -x,", "-g is not available in separated values; use -j"),
    ("report -G -x,", "-G is not available in separated values; use -j"),
    ("report -Gg", "-G is a tree of functions: leave -g and -s out, or -G"),
    ("report -G -s line", "-G is a tree of functions: leave -g and -s out, or -G"),
    ("report -x \"", "-x: the separator is empty or has a quote or a line end in it; use one like ','"),
    ("report -o nowhere/out", "cannot write nowhere/out: No such file or directory; "
                              "choose another file with -o"),
    ("script armpmu.data", "script: 'armpmu.data': a profile is named with -i; see 'armpmu help script'"),
    ("script -e x", "-e 'x': not recorded; the profile has CPU_CYCLES, INST_RETIRED, L1D_CACHE_REFILL, BR_MIS_PRED"),
]

TOTALS = {"CPU_CYCLES": 11330, "INST_RETIRED": 6210, "L1D_CACHE_REFILL": 1007, "BR_MIS_PRED": 46}


class Report(SampleCase):
    golden_folder = "report"
    golden = GOLDEN
    refused = REFUSED

    def test_output_is_the_golden_one(self):
        self.check_golden()

    def test_what_is_wrong_is_refused(self):
        self.check_refused()

    def test_lines_add_up_to_the_total(self):
        for keys in ("symbol", "object", "line", "insn", "thread", "thread,symbol,line"):
            rows = list(csv.DictReader(io.StringIO(self.output("report", "-x,", "-s", keys))))
            groups = [json.loads(line) for line in self.output("report", "-j", "-s", keys).splitlines()]
            for event, total in TOTALS.items():
                self.assertEqual(sum(int(row[event]) for row in rows), total, keys)
                self.assertEqual(sum(group["events"][event]["self"] for group in groups), total, keys)
        samples = self.output("script").splitlines()
        for event, total in TOTALS.items():
            self.assertEqual(sum(int(line.split()[3]) for line in samples if f" {event}: " in line), total)

    def test_metrics_are_those_of_the_counts_beside_them(self):
        formulas = {"ipc": (1, "INST_RETIRED", "CPU_CYCLES"), "l1d_mpki": (1000, "L1D_CACHE_REFILL", "INST_RETIRED"),
                    "branch_mpki": (1000, "BR_MIS_PRED", "INST_RETIRED")}
        without = []
        for words in (["-s", "symbol"], ["-s", "line,thread"], ["-s", "insn", "--children"], ["-G", "--percent-limit=0"]):
            chosen = ["-j", "-e", "cycles,instructions,BR*,L1D*", "-M", ",".join(formulas)]
            lines = [json.loads(line) for line in self.output("report", *words, *chosen).splitlines()]
            self.assertGreater(len(lines), 6)
            for line in lines:
                for name, (factor, above, below) in formulas.items():
                    for kind, value in line["metrics"][name].items():
                        n, m = line["events"][above][kind], line["events"][below][kind]
                        self.assertEqual(value, round(factor * n / m, 6) if m else None, line)
            without += [line for line in lines if line["metrics"]["branch_mpki"]["self"] is None]
        self.assertEqual([line["symbol"] for line in without if "path" not in line and "symbol" in line], ["[no instruction]"])

    def test_metrics_are_of_a_core_that_is_known(self):
        self.change("UPDATE meta SET value = 'cortex-a99' WHERE key = 'core'")
        self.assertEqual(self.run_it("report", "-M", "ipc").stderr,
                         "armpmu: -M: the profile is of core 'cortex-a99', which is not known\n")

    def recurse(self, depth):
        """fib calls itself so often, and each counts a cycle."""
        database = sqlite3.connect(self.folder / "armpmu.data")
        database.execute("DELETE FROM meta WHERE key = 'checksum'")
        database.executemany("INSERT INTO path VALUES (?, ?, 5, 2, 1)", [(i, i - 1 if i > 8 else 4)
                                                                        for i in range(8, 8 + depth)])
        database.execute("INSERT INTO tally SELECT 1 + max(id), 0, 1 FROM tally")
        database.executemany("INSERT INTO counts SELECT 0, ?, 6, max(id) FROM tally", [(i,) for i in range(8, 8 + depth)])
        database.execute("UPDATE total SET n = n + ? WHERE event = 0", (depth,))
        database.commit()
        database.close()

    def test_recursion_counts_once(self):
        self.recurse(10000)
        for keys in ("symbol", "line", "insn"):
            for line in self.output("report", "-j", "--children", "-s", keys).splitlines():
                counts = json.loads(line)["events"]["CPU_CYCLES"]
                self.assertLessEqual(counts["inclusive"], 21330)
                self.assertLessEqual(counts["self"], counts["inclusive"])
        fib = [json.loads(line) for line in self.output("report", "-j", "-g", "--children").splitlines()
               if '"fib"' in line][0]
        self.assertEqual(fib["events"]["CPU_CYCLES"]["inclusive"], 10720)
        self.assertEqual([(caller["symbol"], caller["count"]) for caller in fib["callers"]], [("main", 10720)])
        tree = [json.loads(line) for line in self.output("report", "-jG", "--percent-limit=0").splitlines()]
        self.assertEqual([(node["path"], node["events"]["CPU_CYCLES"]["self"]) for node in tree
                          if node["symbol"] == "fib"], [(["_start", "main"], 10720)])
        longest = max(self.output("script", "-g", "-e", "cycles").split("\n\n"), key=len)
        self.assertEqual(longest.count("\n\t"), 127)

    def test_a_tree_adds_up(self):
        tree = [json.loads(line) for line in self.output("report", "-jG", "-e", "all", "--percent-limit=0").splitlines()]
        for event, total in TOTALS.items():
            self.assertEqual(sum(node["events"][event]["self"] for node in tree), total)
            for node in tree:
                below = [inner for inner in tree if inner["path"] == node["path"] + [node["symbol"]]]
                self.assertEqual(sum(inner["events"][event]["inclusive"] for inner in below)
                                 + node["events"][event]["self"], node["events"][event]["inclusive"])

    def test_events_that_armpmu_chose_fit_the_terminal(self):
        for words in (["report"], ["report", "-G"]):
            shown = self.on_terminal(*words, "--no-pager", columns=80, NO_COLOR="1").splitlines()
            self.assertEqual(shown[2].split(":")[0], " too wide for the terminal")
            self.assertEqual([], [line for line in shown if len(line) > 80], words)
            self.assertNotIn("too wide", self.on_terminal(*words, "--no-pager", "-e", "all", columns=80))
            self.assertNotIn("too wide", self.on_terminal(*words, "--no-pager", columns=240))

    def test_long_names_end_at_the_edge_of_the_terminal(self):
        name = "std::map<" + "int, " * 40 + ">"
        self.change(f"UPDATE function SET name = '{name}' WHERE id = 2")
        for words in (["-G"], ["-s", "insn,object,thread"], []):
            shown = self.on_terminal("report", "-e", "cycles", *words, "--no-pager", columns=80, NO_COLOR="1")
            self.assertIn("std::map<int", shown)
            self.assertEqual([], [line for line in shown.splitlines() if len(line) > 80], words)
            self.assertIn(name, self.output("report", "-e", "cycles", *words))

    def test_nobody_calls_a_handler(self):
        self.change("UPDATE path SET parent = 0, caller = NULL WHERE id = 5")
        groups = {group["symbol"]: group for group in
                  map(json.loads, self.output("report", "-j", "-g", "--children").splitlines())}
        self.assertEqual(groups["list::sum(int)"]["callers"], [])
        self.assertEqual(groups["memcpy"]["callers"], [{"symbol": "list::sum(int)", "count": 900, "percent": 7.943513,
                                                        "callers": []}])
        self.assertEqual(groups["main"]["events"]["CPU_CYCLES"]["inclusive"], 880)
        tree = [json.loads(line) for line in self.output("report", "-jG").splitlines()]
        self.assertIn(("memcpy", ["list::sum(int)"]), [(node["symbol"], node["path"]) for node in tree])
        stack = [sample for sample in self.output("script", "-g", "-e", "L1D_CACHE_REFILL").split("\n\n")
                 if "memcpy" in sample][0]
        self.assertEqual(stack.count("\n\t"), 2)

    def test_names_cannot_command_a_terminal(self):
        self.change("UPDATE function SET name = char(27) || '[2Jfib' || char(10) WHERE id = 2;"
                    "UPDATE event SET name = 'A' || char(7); UPDATE meta SET value = char(27) WHERE key = 'command'")
        for words in (("report",), ("report", "-g"), ("report", "-j", "-g"), ("report", "-G"), ("script",), ("script", "-g")):
            found = self.output(*words)
            self.assertEqual([], [c for c in found if ord(c) < 32 and c not in "\n\t"], words)
        self.assertIn("\\x1b[2Jfib\\x0a", self.output("report"))

    def test_no_text_of_a_profile_commands_a_terminal(self):
        """Each text of each table, in each format: neither controls nor a change of direction."""
        odd = "\x1b[31m\u202e\u2066\u200f"
        with contextlib.closing(sqlite3.connect(self.folder / "armpmu.data")) as database:
            database.execute("DELETE FROM meta WHERE key = 'checksum'")
            for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                for _, column, *_ in database.execute(f"PRAGMA table_info({table})").fetchall():
                    where = {"meta": " AND key IN ('machine', 'command', 'armpmu')"}.get(table, "")
                    if (table, column) != ("meta", "key") and column not in ("isa", "source", "tlb"):
                        database.execute(f"UPDATE {table} SET {column} = ? || {column} "
                                         f"WHERE typeof({column}) = 'text'{where}", (odd,))
            database.commit()
        keys = "symbol,object,line,insn,thread"
        for words in (["report", "-s", keys], ["report", "-j", "-s", keys], ["report", "-x,", "-s", keys],
                      ["report", "-x\\t", "-s", keys], ["report", "-g"], ["report", "-G"], ["script"], ["script", "-g"],
                      ["annotate"], ["annotate", "-j"], ["annotate", "-x,"]):
            with self.subTest(words):
                text = self.output(*words)
                self.assertIn("\\x1b", text)
                for character in odd[:1] + odd[5:]:
                    self.assertNotIn(character, text)

    def test_call_paths_must_be_there(self):
        self.change("UPDATE meta SET value = 0 WHERE key = 'has_paths'")
        for words, option in ((("report", "-g"), "-g"), (("report", "--children"), "--children"), (("report", "-G"), "-G"),
                              (("script", "-g"), "-g")):
            self.assertEqual(self.run_it(*words).stderr,
                             f"armpmu: {option}: the profile has no call paths; record with -g\n")
        self.assertIn("fib", self.output("report"))

    def test_the_usual_events_of_many_are_shown(self):
        self.change("INSERT INTO event SELECT id + 4, 'MORE' || id, number + 256, unit, fidelity, meaning FROM event;"
                    "UPDATE event SET name = 'mine' WHERE id = 2; INSERT INTO total SELECT id, 0 FROM event WHERE id > 3;"
                    "DELETE FROM interval")
        header = self.output("report").splitlines()[2].split()
        self.assertEqual(header, ["CPU_CYCLES", "INST_RETIRED", "mine", "BR_MIS_PRED"])
        self.assertEqual(len(self.output("report", "-e", "all").splitlines()[2].split()), 8)
        self.change("UPDATE event SET number = 4096 + number")
        self.assertEqual(len(self.output("report").splitlines()[2].split()), 8)

    def test_a_run_that_is_not_complete_says_so(self):
        self.change("UPDATE meta SET value = 0 WHERE key = 'is_complete'")
        self.assertIn("\n not complete: the counts do not reach the end of the run\n", self.output("report"))

    def test_an_empty_profile_is_shown(self):
        self.change("DELETE FROM counts; DELETE FROM tally; DELETE FROM interval; UPDATE total SET n = 0")
        self.assertTrue(self.output("report", "-g", "--children").endswith("0  total\n"))
        self.change("DELETE FROM set_miss; DELETE FROM miss; DELETE FROM region; DELETE FROM cache; "
                    "DELETE FROM total; DELETE FROM event")
        for words in (("report",), ("report", "-x,"), ("report", "-j"), ("script",), ("report", "-g", "-j"), ("report", "-G")):
            self.output(*words)

    def test_a_damaged_file_is_one_line(self):
        self.change("UPDATE insn SET function = 77 WHERE id = 3")
        for command in ("report", "script"):
            answer = self.run_it(command)
            self.assertEqual((125, "", "armpmu: 'armpmu.data' is damaged: insn 3: function refers to nothing; "
                                       "record again\n"), (answer.returncode, answer.stdout, answer.stderr))

    def test_it_goes_to_a_file(self):
        for command in ("report", "script"):
            self.assertEqual("", self.output(command, "-o", "out"))
            self.assertEqual(self.output(command), (self.folder / "out").read_text(encoding="utf-8"))
        with open("/dev/full", "w", encoding="ascii") as full:
            answer = self.run_it("report", stdout=full)
        self.assertEqual(answer.returncode, 125)

    def test_a_terminal_has_a_pager(self):
        plain = self.output("report")
        marked = "sed s/^/:/"
        self.assertEqual(self.on_terminal("report", PAGER=marked, NO_COLOR="1"),
                         "".join(":" + line for line in plain.splitlines(keepends=True)))
        self.assertEqual(self.on_terminal("report", ARMPMU_PAGER=marked, PAGER="false", NO_COLOR="1")[0], ":")
        for variables in ({"PAGER": ""}, {"PAGER": "cat"}, {"PAGER": "no-such-pager"}):
            self.assertTrue(self.on_terminal("report", NO_COLOR="1", **variables).endswith(plain), variables)
        self.assertEqual(self.on_terminal("report", "--no-pager", PAGER=marked, NO_COLOR="1"), plain)
        self.assertIn("\033[31m", self.on_terminal("report", PAGER="cat"))
        self.assertIn(":prog 1/1", self.on_terminal("script", PAGER=marked))
        self.assertEqual(self.run_it("report", PAGER=marked).stdout, plain)

    def test_a_pager_may_leave_early(self):
        self.recurse(5000)
        master, terminal = pty.openpty()
        answer = self.run_it("script", "-g", stdout=terminal, PAGER="true")
        os.close(terminal)
        os.close(master)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))


if __name__ == "__main__":
    main()
