"""armpmu convert: each format, opened by the tool that it is for; what that says equals the profile.

usage: formats.py ARMPMU SAMPLE_FILE FORMAT

FORMAT is a class here, or in a file of its name.

SAMPLE_FILE writes the profile of tests/profile/sample.c, of which the totals here are read by SQL. Skipped (77)
where the format's tool is not installed; scripts/setup test installs them.
"""

import base64
import gzip
import importlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

import browser

ARMPMU = SAMPLE_FILE = None


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, errors="replace",
                          env=dict(os.environ, LC_ALL="C.UTF-8"), **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def number(text):
    return int(text.replace(",", ""))


class Case(unittest.TestCase):
    """The sample profile in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-export-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "armpmu.data"
        run(SAMPLE_FILE, self.data)
        self.totals = dict(self.query("SELECT name, n FROM total JOIN event ON event = id"))
        self.assertEqual(len(self.totals), 4)

    def query(self, sql):
        connection = sqlite3.connect(self.data)
        try:
            return connection.execute(sql).fetchall()
        finally:
            connection.close()

    def change(self, sql, *values):
        connection = sqlite3.connect(self.data)
        with connection:
            connection.execute("DELETE FROM meta WHERE key = 'checksum'")
            connection.execute(sql, values)
        connection.close()

    def convert(self, name, *words):
        """The path of the default file."""
        said = run(ARMPMU, "convert", "--to", name, *words, cwd=self.folder)
        return self.folder / said.split(": ")[0]

    def by_function(self, event):
        """Self counts by the function of the symbol table."""
        return dict(self.query(f"SELECT function, n FROM by_function WHERE event = '{event}' AND function <> ''"))

    def by_frame(self, event):
        """Self counts by the innermost function, which may be an inlined one."""
        rows = self.query(f"""
            SELECT ifnull(l.name, ifnull(f.name, '[unknown]')), sum(c.n) FROM count c JOIN event e ON e.id = c.event
            JOIN insn i ON i.id = c.insn LEFT JOIN function f ON f.id = i.function
            LEFT JOIN inline l ON i.inlines > 0 AND l.id = i.first_inline + i.inlines - 1
            WHERE e.name = '{event}' GROUP BY 1""")
        return dict(rows)


class callgrind(Case):
    TOOLS = {"callgrind_annotate": "valgrind"}

    def rows(self, *words):
        """Function to counts."""
        text = run("callgrind_annotate", "--auto=no", "--threshold=100", *words, cwd=self.folder)
        found = {}
        for line in text.splitlines():
            match = re.match(r"((?:\s*[\d,]+(?: \([ .\d]+%\))?){4})\s+(\S.*)", line)
            if match:
                counts = [number(n) for n in re.findall(r"([\d,]+)(?: \([ .\d]+%\))?", match[1])]
                name = re.sub(r" \[.*\]$", "", match[2])
                name = name if name == "PROGRAM TOTALS" else name.split(":", 1)[1]
                found[name] = [a + b for a, b in zip(found.get(name, [0] * 4), counts)]
        return found

    def test_totals_and_functions(self):
        rows = self.rows(self.convert("callgrind"))
        self.assertEqual(rows.pop("PROGRAM TOTALS"), list(self.totals.values()))
        self.assertEqual({name: counts[0] for name, counts in rows.items() if name != "[unknown]"},
                         self.by_function("CPU_CYCLES"))

    def test_inclusive_counts_recursion_once(self):
        rows = self.rows("--inclusive=yes", self.convert("callgrind"))
        self.assertEqual(rows["fib"][0], 720)
        self.assertEqual(rows["main"][0], 7800)
        self.assertEqual(rows["_start"][0], 7810)

    def test_addresses_are_those_of_the_file(self):
        text = self.convert("callgrind").read_text()
        self.assertIn("\ncfn=(5) memcpy\ncalls=5 0x50000 0\n", text)
        self.assertRegex(text, r"fn=\(5\)\n0x50010 0 900 500 100 0\n")

    def test_lines_with_their_source(self):
        source = self.folder / "list.h"
        source.write_text("".join(f"line {n} of the list\n" for n in range(1, 20)))
        self.change("UPDATE file SET path = ? WHERE path LIKE '%list.h'", str(source))
        text = run("callgrind_annotate", "--auto=yes", self.convert("callgrind"))
        self.assertRegex(text, r"8,000 .*  line 13 of the list")


class cachegrind(Case):
    TOOLS = {"cg_annotate": "valgrind", "cg_diff": "valgrind"}

    def rows(self, path):
        """Counts by FILE:FUNCTION. From valgrind 3.21 on, the functions of a file follow a row '< COUNTS FILE:'."""
        text = run("cg_annotate", "--auto=no", "--threshold=0", path).partition("Function:file summary")[0]
        found, file = {}, ""
        for line in text.splitlines():
            match = re.match(r"(<?)((?:\s*-?[\d,]+(?: +\([^)]*\))?){4})\s+(\S.*)", line)
            if not match:
                continue
            counts = [number(n) for n in re.findall(r"(-?[\d,]+)(?: +\([^)]*\))?", match[2])]
            if match[1]:
                file = match[3] if match[3].endswith(":") else ""
            if match[3] not in (file, "<unspecified>") or match[3] == "<unspecified>" and any(counts):
                found[file + match[3]] = counts
        return found

    def test_totals_and_functions(self):
        rows = self.rows(self.convert("cachegrind"))
        self.assertEqual(rows.pop("PROGRAM TOTALS"), list(self.totals.values()))
        found = Counter()
        for name, counts in rows.items():
            found[name.split(":", 1)[1]] += counts[0]
        found.pop("[unknown]")
        self.assertEqual(dict(found), self.by_function("CPU_CYCLES"))

    def test_difference(self):
        before = self.convert("cachegrind").rename(self.folder / "cachegrind.out.before")
        self.change("UPDATE tally SET n = n + 5 WHERE event = 0 AND id = (SELECT tally FROM counts WHERE path = 2 "
                    "AND insn = (SELECT id FROM insn WHERE address = 0x10454))")
        self.change("UPDATE total SET n = n + 5 WHERE event = 0")
        difference = self.folder / "cachegrind.out.difference"
        difference.write_text(run("cg_diff", before, self.convert("cachegrind")))
        rows = self.rows(difference)
        self.assertEqual(rows["PROGRAM TOTALS"], [5, 0, 0, 0])
        self.assertEqual([counts for name, counts in rows.items() if name.endswith("prog.cc:fib")], [[5, 0, 0, 0]])


# The functions of the sample, at its addresses: symbols and lines for perf to find.
PROGRAM = """
        .syntax unified
        .text
        .type _start, %function
        .globl _start
_start: bl main
        .size _start, 0x20
        .org 0x100
        .type main, %function
main:   nop
        bl fib
        blx _ZN4list3sumEi
        blx r3
        add r0, r0, 1
        .size main, 0x40
        .org 0x140
        .type fib, %function
fib:    .fill 4, 4, 0xe1a00000
        bl fib
        add r0, r0, r1
        .size fib, 0x30
        .org 0x180
        .thumb
        .type _ZN4list3sumEi, %function
_ZN4list3sumEi: blx main
        ldr r0, [r1]
        bne _ZN4list3sumEi
        .size _ZN4list3sumEi, 0x20
"""


class perf(Case):
    TOOLS = {"perf": "linux-perf", "arm-linux-gnueabihf-gcc": "gcc-arm-linux-gnueabihf"}

    def setUp(self):
        super().setUp()
        program, source = self.folder / "prog", self.folder / "prog.s"
        source.write_text(PROGRAM)
        run("arm-linux-gnueabihf-gcc", "-march=armv7-a", "-nostdlib", "-static", "-Wl,-Ttext=0x10300", "-Wl,--build-id="
            "0x00112233445566778899aabbccddeeff00112233", "-o", program, source)
        self.change("UPDATE object SET path = ? WHERE id = 0", str(program))

    def perf(self, *words):
        return run("perf", "--buildid-dir", self.folder / "debug", *words, stdin=subprocess.DEVNULL)

    def test_report(self):
        text = self.perf("report", "--stdio", "--no-children", "-g", "none", "-F", "period,sym", "-f", "-i",
                         self.convert("perf"))
        totals, functions, event = {}, {}, None
        for line in text.splitlines():
            if match := re.match(r"# Samples: .* of event 'armv7_cortex_a8/(\w+)/'", line):
                event = match[1]
            elif match := re.match(r"# Event count \(approx\.\): (\d+)", line):
                totals[event] = int(match[1])
            elif match := re.match(r"\s+(\d+)\s+\[\.\] (.*\S)", line):
                functions[event, match[2].removesuffix("(int)")] = int(match[1])  # perf 6.12 has arguments
        self.assertEqual((totals.pop("MEM_ACCESS"), totals.pop("MEM_REFILL")), (71, 3))
        self.assertEqual(totals, self.totals)
        for name in ("_start", "main", "fib", "list::sum(int)"):
            self.assertEqual(functions["CPU_CYCLES", name.removesuffix("(int)")], self.by_function("CPU_CYCLES")[name])
        self.assertEqual(functions["L1D_CACHE_REFILL", "list::sum"], 900)

    def test_report_of_calls(self):
        text = self.perf("report", "--stdio", "--children", "-g", "caller", "-F", "overhead_children,sym", "-f", "-i",
                         self.convert("perf", "-e", "cycles"))
        self.assertRegex(text, r"68\.93%\s+\[\.\] _start")
        self.assertRegex(text, r"6\.35%\s+\[\.\] fib")
        self.assertNotIn("INST_RETIRED", text)

    def test_annotate(self):
        data = self.convert("perf", "-e", "CPU_CYCLES")
        names = self.perf("report", "--stdio", "--no-children", "-g", "none", "-F", "sym", "-f", "-i", data)
        name = re.search(r"list::sum\S*", names)[0]  # perf 6.12 has arguments
        text = self.perf("annotate", "--stdio", "--objdump=arm-linux-gnueabihf-objdump", "-f", "-i", data, name)
        self.assertRegex(text, r"84\.03 .*ldr\s+r0, \[r1")
        self.assertRegex(text, r"15\.76 .*bne")

    def test_script(self):
        text = self.perf("script", "-F", "comm,pid,tid,event,period,ip,sym", "-f", "-i", self.convert("perf"))
        totals, threads = Counter(), Counter()
        for line in text.splitlines():
            if match := re.match(r"(\S+)\s+(\d+/\d+)\s+(\d+)\s+armv7_cortex_a8/(\w+)/", line):
                totals[match[4]] += int(match[3])
                threads[match[1], match[2]] += match[4] == "CPU_CYCLES" and int(match[3])
        self.assertEqual(dict(totals), self.totals)
        self.assertEqual(dict(threads), {("prog", "1/1"): 7830, ("worker", "1/2"): 3500})
        self.assertRegex(text, r"320\s+armv7_cortex_a8/CPU_CYCLES/:\s+\w+ fib\n\s+\w+ fib\n\s+\w+ fib\n\s+\w+ main\n"
                               r"\s+\w+ _start\n")

    def test_header(self):
        text = self.perf("report", "--header-only", "-f", "-i", self.convert("perf"))
        self.assertRegex(text, r"# arch : armv7l\n")
        self.assertRegex(text, r"# cpudesc : cortex-a8\n")


class recorded(Case):
    """A program that was run: a position-independent one, whose addresses in memory are others than in its file."""
    TOOLS = {**perf.TOOLS, **callgrind.TOOLS, "qemu-arm": "qemu-user"}
    SOURCE = """
        static int __attribute__((noinline)) fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        int main(int argc, char **argv) { (void)argv; return fib(argc + 11) == 144 ? 0 : 1; }"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="armpmu-export-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data, self.program = self.folder / "armpmu.data", self.folder / "fib"
        (self.folder / "fib.c").write_text(self.SOURCE)
        run("arm-linux-gnueabihf-gcc", "-g", "-O1", "-pie", "-fPIE", "fib.c", "-o", "fib", cwd=self.folder)
        run(ARMPMU, "record", "-q", "-g", "-o", self.data, "--", self.program)
        self.totals = dict(self.query("SELECT name, n FROM total JOIN event ON event = id"))

    def test_perf_finds_the_code_in_its_file(self):
        words = ("--buildid-dir", self.folder / "debug"), ("-f", "-i", self.convert("perf", "-e", "INST_RETIRED"))
        text = run("perf", *words[0], "report", "--stdio", "--no-children", "-g", "none", "-F", "period,sym", *words[1])
        self.assertRegex(text, rf"Event count \(approx\.\): {self.totals['INST_RETIRED']}\n")
        self.assertRegex(text, rf"\n +{self.by_function('INST_RETIRED')['fib']}  \[\.\] fib")
        text = run("perf", *words[0], "annotate", "--stdio", "--objdump=arm-linux-gnueabihf-objdump", *words[1], "fib")
        self.assertRegex(text, r"\n +\d+\.\d+ : +\w+:\s+push\s.*lr")
        self.assertIn("return n < 2 ? n : fib(n - 1) + fib(n - 2);", text)

    def test_callgrind_has_the_addresses_of_the_file(self):
        path = self.convert("callgrind")
        start = next(int(line.split()[0], 16) & ~1 for line in run("arm-linux-gnueabihf-nm", self.program).splitlines()
                     if line.endswith(" fib"))
        number_of_fib = re.search(r"fn=\((\d+)\) fib\n", path.read_text())[1]
        first = re.search(rf"\nfn=\({number_of_fib}\).*\n0x(\w+) 2 ", path.read_text())
        self.assertEqual(int(first[1], 16), start)
        text = run("callgrind_annotate", "--auto=yes", "--inclusive=yes", path, cwd=self.folder)
        self.assertRegex(text, r"return n < 2 \? n : fib\(n - 1\) \+ fib\(n - 2\);")

    def test_every_format_has_the_totals(self):
        self.assertIn(" ".join(["\nsummary:", str(self.totals["CPU_CYCLES"])]), self.convert("callgrind").read_text())
        for event in ("CPU_CYCLES", "L1D_CACHE"):
            lines = self.convert("collapsed", "-e", event).read_text().splitlines()
            self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in lines), self.totals[event])
        document = json.loads(self.convert("speedscope").read_text())
        self.assertEqual({p["name"]: p["endValue"] for p in document["profiles"]}, self.totals)


class pprof(Case):
    TOOLS = {"go": "golang-go"}

    def pprof(self, *words):
        return run("env", f"HOME={self.folder}", f"PPROF_TMPDIR={self.folder}", "go", "tool", "pprof", *words)

    def test_totals(self):
        path = self.convert("pprof")
        for event, total in self.totals.items():
            text = self.pprof("-top", "-nodefraction=0", "-edgefraction=0", f"-sample_index={event}", path)
            self.assertRegex(text, rf"File: prog\n(.*\n)*Type: {event}\n")
            self.assertRegex(text, rf"of {total} total")

    def test_functions(self):
        text = self.pprof("-top", "-nodefraction=0", "-nodecount=1000", "-sample_index=CPU_CYCLES", self.convert("pprof"))
        flat, cumulative = {}, {}
        for line in text.splitlines():
            if match := re.match(r"\s+(\d+)\s+[.\d]+%\s+[.\d]+%\s+(\d+)\s+[.\d]+%\s+(.*)", line):
                name = match[3].removesuffix(" (inline)")
                flat[name], cumulative[name] = int(match[1]), int(match[2])
        self.assertEqual(flat, self.by_frame("CPU_CYCLES"))
        self.assertEqual(cumulative["main"], 7800)
        self.assertEqual(cumulative["fib"], 720)

    def test_threads_are_labels(self):
        text = self.pprof("-top", "-tagfocus=worker", "-sample_index=CPU_CYCLES", self.convert("pprof"))
        self.assertRegex(text, r"accounting for 3500,")

    def test_compressed_without_a_date(self):
        path = self.convert("pprof")
        self.assertEqual(path.read_bytes()[:10], bytes([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]))
        self.assertIn(b"list::is_end(list::node*)", gzip.decompress(path.read_bytes()))


class collapsed(Case):
    TOOLS = {}

    def stacks(self, event):
        lines = self.convert("collapsed", "-e", event).read_text().splitlines()
        return {tuple(stack.split(";")): int(n) for stack, n in (line.rsplit(" ", 1) for line in lines)}

    def test_totals_and_functions(self):
        for event, total in self.totals.items():
            stacks = self.stacks(event)
            self.assertEqual(sum(stacks.values()), total)
            functions = Counter()
            for stack, n in stacks.items():
                functions[stack[-1]] += n
            self.assertEqual(dict(functions), self.by_frame(event))

    def test_stacks(self):
        stacks = self.stacks("CPU_CYCLES")
        self.assertEqual(stacks["_start", "main", "fib", "fib", "fib"], 320)
        self.assertEqual(stacks["_start", "main", "list::sum(int)", "list::each<int>(list::node*)"], 5000)

    def test_names_cannot_end_a_frame_or_a_line(self):
        self.change("UPDATE function SET name = 'odd;name' || char(10) || 'two' WHERE name = 'memcpy'")
        self.assertIn("odd:name\\x0atwo", {stack[-1] for stack in self.stacks("CPU_CYCLES")})

    def test_events_by_other_names(self):
        self.assertEqual(self.stacks("cycles"), self.stacks("CPU_CYCLES"))

    def test_deep_recursion_is_cut_in_the_middle(self):
        insn, function, n = 5, 2, 10000
        self.change("DELETE FROM counts WHERE path > 0")
        self.change("INSERT INTO tally SELECT 1 + max(id), 0, 3 FROM tally")
        self.change("DELETE FROM path WHERE id > 0")
        self.change("""INSERT INTO path (id, parent, caller, function, calls) WITH RECURSIVE n(i) AS
                       (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT i, i - 1, ?, ?, 1 FROM n""",
                    n, insn, function)
        self.change("INSERT INTO counts SELECT 0, id, ?, (SELECT max(id) FROM tally) FROM path WHERE id > 0", insn)
        self.change("UPDATE total SET n = (SELECT sum(n) FROM count WHERE count.event = total.event)")
        self.change("UPDATE total SET n = 0 WHERE n IS NULL")
        lines = self.convert("collapsed", "-e", "CPU_CYCLES").read_text().splitlines()
        totals = dict(self.query("SELECT name, n FROM total JOIN event ON event = id"))
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in lines), totals["CPU_CYCLES"])
        deepest = lines[-1].rsplit(" ", 1)[0].split(";")
        self.assertEqual(len(deepest), 512)
        self.assertEqual(deepest.count("[...]"), 1)
        for name in ("callgrind", "cachegrind", "perf", "pprof", "speedscope", "perfetto", "html"):
            self.assertLess(self.convert(name).stat().st_size, 50e6, name)


class speedscope(Case):
    TOOLS = {}

    def test_structure(self):
        document = json.loads(self.convert("speedscope").read_text())
        self.assertEqual(document["$schema"], "https://www.speedscope.app/file-format-schema.json")
        names = [frame["name"] for frame in document["shared"]["frames"]]
        self.assertEqual([profile["name"] for profile in document["profiles"]], list(self.totals))
        for profile in document["profiles"]:
            self.assertEqual((profile["type"], profile["unit"], profile["startValue"]), ("evented", "none", 0))
            self.assertEqual(profile["endValue"], self.totals[profile["name"]])
            self.assertEqual(self.self_counts(profile, names), self.by_frame(profile["name"]))

    def self_counts(self, profile, names):
        """Of each function, by opening and closing its frames as speedscope does."""
        stack, at, sums = [], 0, Counter()
        for event in profile["events"]:
            self.assertGreaterEqual(event["at"], at)
            if stack:
                sums[names[stack[-1]]] += event["at"] - at
            else:
                self.assertEqual(event["at"], at, "a gap between stacks")
            at = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                self.assertEqual(event["type"], "C")
                self.assertEqual(stack.pop(), event["frame"], "frames close in order")
        self.assertEqual((stack, at), ([], profile["endValue"]))
        return {name: n for name, n in sums.items() if n > 0}

    def test_speedscope_itself(self):
        """Needs speedscope of npm, which Debian has not: scripts/setup does not install it."""
        command, chromium = shutil.which("speedscope"), browser.find()
        if command is None or chromium is None:
            self.skipTest("speedscope (npm install -g speedscope) or Chromium is not installed")
        pages = Path(command).resolve().parent.parent / "dist/release/index.html"
        content = base64.b64encode(self.convert("speedscope").read_bytes()).decode()
        (self.folder / "profile.js").write_text(f"speedscope.loadFileFromBase64('a.json', '{content}')")
        with browser.Page(chromium, pages, fragment=f"localProfilePath={self.folder}/profile.js") as page:
            page.wait("document.body.innerText.includes('CPU_CYCLES (1/4)')")
            page.js("[...document.querySelectorAll('div')].find(e => e.innerText === '\\u{1F96A}Sandwich').click()")
            page.wait("document.querySelectorAll('tr').length > 5")
            rows = page.js("[...document.querySelectorAll('tr')].map(tr => [...tr.cells].map(c => c.innerText))")
        with_calls, itself = ({row[2]: number(row[i].split()[0]) for row in rows if row[0][:1].isdigit()} for i in (0, 1))
        self.assertEqual({name: n for name, n in itself.items() if n > 0}, self.by_frame("CPU_CYCLES"))
        self.assertEqual((with_calls["main"], with_calls["fib"]), (7800, 720))


class perfetto(Case):
    """Debian has no trace_processor: the structure that its importer of JSON needs."""
    TOOLS = {}

    def setUp(self):
        super().setUp()
        self.events = json.loads(self.convert("perfetto").read_text())["traceEvents"]

    def names(self, kind, process):
        return {e["tid"]: e["args"]["name"] for e in self.events
                if e["ph"] == "M" and e["name"] == kind and e["pid"] == process}

    def test_counters(self):
        sums, times = Counter(), set()
        for event in self.events:
            if event["ph"] == "C":
                sums[event["name"]] += event["args"]["count"]
                times.add(event["ts"])
        self.assertEqual(dict(sums), self.totals)
        self.assertEqual(times, {0.0, 5.0, 7.83})

    def test_slices(self):
        tracks = self.names("thread_name", 2)
        self.assertEqual(list(tracks.values()), list(self.totals))
        for track, name in tracks.items():
            slices = [e for e in self.events if e["ph"] == "X" and e["tid"] == track]
            sums = Counter()
            for e in slices:
                sums[e["name"]] += e["args"]["self"]
            self.assertEqual({k: n for k, n in sums.items() if n > 0}, self.by_frame(name))
            self.assertEqual(self.outermost(slices), self.totals[name])

    def outermost(self, slices):
        """The sum of slices that are in no other one; all are nested."""
        stack, total = [], 0
        for e in slices:
            start, end = round(e["ts"] * 1000), round((e["ts"] + e["dur"]) * 1000)
            while stack and stack[-1] <= start:
                stack.pop()
            if stack:
                self.assertLessEqual(end, stack[-1], f"{e['name']} outlives its caller")
            else:
                total += end - start
            stack.append(end)
        return total


class html(Case):
    TOOLS = {"": "chromium-headless-shell"}

    def setUp(self):
        super().setUp()
        source = self.folder / "list.h"
        source.write_text("".join(f"\tline {n} of <list>\n" for n in range(1, 40)))
        self.change("UPDATE file SET path = ? WHERE path LIKE '%list.h'", str(source))
        self.change("UPDATE meta SET value = ? WHERE key = 'machine_text'", "l1d.size_kb = 32\nl1d.ways = 4\n"
                    "l1d.line_bytes = 64\ndtlb.entries = 32\n")
        self.change("UPDATE function SET name = '</script><b>\"odd\"' WHERE name = 'memcpy'")

    def page(self, **options):
        return browser.Page(browser.find(), self.convert("html"), **options)

    def table(self, page, section):
        return page.js(f"[...document.querySelectorAll('#{section} tbody tr')].map("
                       "tr => [...tr.cells].map(c => c.innerText))")

    def test_what_a_reader_does(self):
        path = self.convert("html")
        self.assertLess(path.stat().st_size, 1e6)
        self.assertNotRegex(path.read_text().replace("http://www.w3.org/2000/svg", ""), r"https?://")
        with self.page() as page:
            self.hottest(page)
            self.events(page)
            self.functions(page)
            self.search(page)
            self.zoom(page)
            self.source(page)
            self.timeline(page)
            self.cycles(page)
            self.misses(page)
            self.themes(page)
            self.printing(page)
            self.assertEqual(page.complaints, [])

    def hottest(self, page):
        """The page opens at the hottest line of the user's own; keys move on."""
        chosen = "[...document.querySelectorAll('#hot tr.chosen td')].map(c => c.textContent)"
        self.assertEqual(page.js(chosen), ["8,000", "70.61", "list.h:13", "line 13 of <list>"])
        self.assertIn("list.h:13 in list::each<int>(list::node*)", page.js("document.querySelector('#line h3').textContent"))
        insns = page.js("[...document.querySelectorAll('#line table')[1].tBodies[0].rows].map(tr => tr.textContent)")
        self.assertEqual(len(insns), 1)
        self.assertIn("10484ldr r0, [r1]", insns[0])
        self.assertIn("No metric of the core is bad here", page.js("document.querySelector('#line ul').textContent"))
        self.assertIn("list::sum(int)", page.js("document.querySelector('#line .links').textContent"))
        page.js("document.querySelector('#hot tr.chosen').focus()")
        page.press("ArrowDown")
        self.assertEqual(page.js(chosen)[2], "list.h:7")
        page.js("document.querySelectorAll('#files details').forEach(d => d.open = false)")
        page.press("Enter")
        self.assertTrue(page.js("document.querySelector('#files details').open"))
        self.assertEqual(page.js("document.activeElement.dataset.line"), "7")
        page.press("?")
        self.assertTrue(page.js("document.querySelector('#keys').open"))
        page.press("Escape")
        self.flame_keys(page)
        page.js("scrollTo(0, 0)")

    def flame_keys(self, page):
        page.js("document.querySelector('#flame g[tabindex=\"0\"]').focus()")
        page.press("ArrowDown")
        self.assertIn("with calls", page.js("document.querySelector('#about').textContent"))
        boxes = page.js("document.querySelectorAll('#flame g').length")
        page.press("ArrowDown")
        page.press("Enter")
        self.assertFalse(page.js("document.querySelector('#whole').hidden"))
        page.click("#whole")
        self.assertEqual(page.js("document.querySelectorAll('#flame g').length"), boxes)

    def test_what_changes_would_save(self):
        """Beside the line, and in a table of all."""
        (self.folder / "w.json").write_text(json.dumps({"schema": "armpmu-whatif", "schema-version": 1, "trials": [
            {"place": "list.h:13", "what-if": "list.h:13 hit level 1", "percent": -40.25}, {"what-if": "memory was near", "percent": -2}]}))
        path = self.convert("html", "--whatif", "w.json")
        with browser.Page(browser.find(), path) as page:
            self.assertIn("If list.h:13 hit level 1: -40.", page.js("document.querySelector('#line ul').textContent"))
            self.assertEqual([row[2] for row in self.table(page, "whatif")], ["list.h:13 hit level 1", "memory was near"])
            self.assertEqual(page.complaints, [])

            page.js("{ document.querySelector('#hot tbody tr:nth-child(2)').click(); document.querySelector('#whatif tbody tr').focus(); }")
            page.press("Enter")
            self.assertIn("list.h:13 in ", page.js("document.querySelector('#line h3').textContent"))

    def test_narrow_windows(self):
        for width in (400, 800):
            with self.page(width=width) as page:
                self.assertEqual(page.js("document.documentElement.scrollWidth"), width)
                self.assertLess(page.js("Math.max(...[...document.querySelectorAll('tr')].map(tr => tr.getBoundingClientRect().height))"), 140)
                self.assertEqual(page.complaints, [])

    def test_long_names(self):
        """What tells functions apart fits, also where the window is narrow."""
        string = "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
        names = {"fib": f"geo::Table<{string}, std::map<{string}, {string}, std::less<{string}> > >::put({string})",
                 "main": "geo::Table<int, std::map<int, std::pair<int, double> > >::operator<<(int) const", "list::sum": "(anonymous namespace)::sum_of_all(int)"}
        for was, name in names.items():
            self.change("UPDATE function SET name = ? WHERE name LIKE ?", name, was + "%")
        for width, shown in ((400, ["geo::Table<>::put()", "operator<<() const", "\u2026::sum_of_all()"]),
                             (1400, ["geo::Table<std::string, std::map<std::string, std::string, std::less<std::string> > >::put(std::string)", names["main"], names["list::sum"]])):
            with self.page(width=width) as page:
                rows = [row[4] for row in self.table(page, "functions")]
                self.assertEqual(set(shown) - set(rows), set(), rows)
                self.assertEqual(page.complaints, [])

    def test_own_source_comes_first(self):
        """Code inlined from a library's header is at the user's line, which the page opens at."""
        header, own = self.folder / "include/c++/list.h", self.folder / "prog.cc"
        header.parent.mkdir(parents=True)
        for path, end in ((header, "list.h"), (own, "prog.cc")):
            path.write_text("".join(f"line {n} of {end}\n" for n in range(1, 60)))
            self.change("UPDATE file SET path = ? WHERE path LIKE ?", str(path), f"%{end}")
        self.change("UPDATE insn SET first_inline = 0, inlines = 0 WHERE address = 66694")  # 0x10486 is the header's own
        with self.page() as page:
            rows = self.table(page, "hot")
            self.assertEqual(rows[0], ["8,000", "70.61", "prog.cc:31", "line 31 of prog.cc"])
            self.assertIn(["1,500", "13.24", "list.h:7", "line 7 of list.h"], rows)
            beside = page.js("[...document.querySelector('#line tr.this').cells].map(c => c.textContent)")
            self.assertEqual(beside, ["8,000", "31", "line 31 of prog.cc"])
            files = page.js("[...document.querySelectorAll('#files details')].map(d => [d.open, d.dataset.path])")
            self.assertEqual(files, [[True, str(own)], [False, str(header)]])
            page.js("[...document.querySelectorAll('#functions tbody tr')].find(tr => tr.cells[4].textContent === 'fib').focus()")
            page.press("Enter")
            self.assertIn("prog.cc:21 in fib", page.js("document.querySelector('#line h3').textContent"))
            page.js("[...document.querySelectorAll('#hot tbody tr')].find(tr => tr.dataset.place.endsWith('prog.cc:30')).click()")
            callers = page.js("[...document.querySelector('#line .links').tBodies[0].rows].map(tr => tr.cells[2].textContent)")
            self.assertEqual(callers, ["main"])  # of list::sum; the worker's is the outermost

    def test_data_accesses(self):
        """As armpmu report has them: of a line, of its instruction, and by what was accessed."""
        self.change("INSERT INTO meta VALUES ('access_latency', 'until it is there')")
        self.change("UPDATE access SET insn = 8")
        wanted = [json.loads(line) for line in run(ARMPMU, "report", "-j", "--by-data", cwd=self.folder).splitlines()]
        self.assertEqual([row["data"] for row in wanted], ["nodes", "[unknown]"])
        with self.page() as page:
            self.assertEqual([row[:5] for row in self.table(page, "accesses")],
                             [[f"{row['accesses']:,}", f"{row['refills']:,}", f"{row['percent']:.2f}", f"{row['tlb_refills']:,}",
                               f"{row['latency']:.1f}" if "latency" in row else ""] for row in wanted])
            self.assertEqual(page.js("document.querySelector('#accesses td.code').textContent"), "nodesfrom through 70")
            self.assertIn("cycles of a load until it is there", page.js("document.querySelector('#accesses .hint').textContent"))
            parts = page.js("[...document.querySelectorAll('#line table')].map(t => [...t.tBodies[0].rows].map(r => [...r.cells].map(c => c.textContent)))")
            self.assertIn([["70", "98.59", "through", "walk", "12.9", "nodes"], ["1", "1.41", "L1", "hit", "", "[unknown]"]], parts)
            self.assertIn("through 99 %, L1 1 %; TLB walk 99 %, hit 1 %; 12.9 cycles each; nodes, [unknown]", parts[1][0][2])
            page.js("{ document.querySelector('#hot tbody tr:nth-child(2)').click(); document.querySelector('#accesses tbody tr').focus(); }")
            page.press("Enter")
            self.assertIn("list.h:13 in ", page.js("document.querySelector('#line h3').textContent"))
            self.assertEqual(page.complaints, [])

    def events(self, page):
        rows = self.table(page, "events")
        self.assertEqual({row[1]: number(row[0]) for row in rows}, self.totals)
        self.assertIn("0.55 insn/cycle", rows[1][2])
        self.assertIn("./prog 'two words'", page.js("document.querySelector('#command').textContent"))
        self.assertIn("Geometry\nL1D 32K/4/64, DTLB 32", page.js("document.querySelector('#setup').innerText"))
        page.click("#events tbody tr:nth-child(3)")
        self.assertEqual(page.js("document.querySelector('#event').selectedOptions[0].text"), "L1D_CACHE_REFILL")
        self.assertIn("1,007", page.js("document.querySelector('#calls small').textContent"))

    def functions(self, page):
        for event in self.totals:
            page.js("{ const e = document.querySelector('#event'); e.selectedIndex = "
                    f"{list(self.totals).index(event)}; e.dispatchEvent(new Event('change')); }}")
            rows = self.table(page, "functions")
            self.assertEqual({row[4]: number(row[0]) for row in rows if row[0] != "0"}, self.by_frame(event))
            lines = [(line, number(n)) for n, _, line, _ in page.js(
                "[...document.querySelectorAll('#hot tr[data-place]')].map(tr => [...tr.cells].map(c => c.textContent))")]
            reported = map(json.loads, run(ARMPMU, "report", "-s", "srcline", "-e", event, "-j", cwd=self.folder).splitlines())
            self.assertEqual(sorted(lines), sorted((f"{Path(row['file']).name}:{row['line']}", row["events"][event]["self"])
                                                   for row in reported if "file" in row and row["events"][event]["self"] > 0))
            self.assertEqual([n for _, n in lines], sorted((n for _, n in lines), reverse=True))
        page.click("#events tbody tr:nth-child(1)")
        rows = {row[4]: row for row in self.table(page, "functions")}
        self.assertEqual((rows["fib"][2], rows["main"][2]), ("720", "7,800"))
        self.assertIn('</script><b>"odd"', rows)

    def search(self, page):
        page.type("#search", "FIB")
        self.assertEqual(page.js("document.querySelector('#found').textContent"), "6.35 % of CPU_CYCLES")
        self.assertEqual(page.js("document.querySelectorAll('#flame g.hit').length"), 3)
        self.assertEqual(page.js("location.hash"), "#event=CPU_CYCLES&search=FIB")
        page.js("{ const s = document.querySelector('#search'); s.value = ''; s.dispatchEvent(new Event('input')); }")
        self.assertEqual(page.js("document.querySelectorAll('#flame g.hit').length"), 0)

    def zoom(self, page):
        boxes = page.js("document.querySelectorAll('#flame g').length")
        page.js("[...document.querySelectorAll('#flame g')].find(g => g.textContent === 'fib').id = 'outer_fib'")
        page.click("#outer_fib rect")
        self.assertLess(page.js("document.querySelectorAll('#flame g').length"), boxes)
        page.click("#whole")
        self.assertEqual(page.js("document.querySelectorAll('#flame g').length"), boxes)

    def source(self, page):
        rows = page.js("[...document.querySelectorAll('#files details[open] tr')].map("
                       "tr => [...tr.cells].map(c => c.textContent))")
        self.assertIn(["8,000", "70.61", "13", "        line 13 of <list>"], rows)
        self.assertIn(["", "", "14", "        line 14 of <list>"], rows)
        self.assertNotIn("39", [row[2] for row in rows if len(row) > 2])

    def timeline(self, page):
        titles = page.js("[...document.querySelectorAll('#plot figcaption')].map(c => c.innerText)")
        self.assertEqual(titles, ["Instructions per cycle", "Misses per 1000 instructions", "CPU_CYCLES per 1000 instructions"])
        page.js("document.querySelector('#plot').scrollIntoView()")
        x, y = page.js("(() => { const b = document.querySelector('#plot svg').getBoundingClientRect();"
                       "return [b.x + 200, b.y + 60]; })()")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.assertIn("5,000 CPU_CYCLES", page.js("document.querySelector('#moment').textContent"))
        values = "[...document.querySelectorAll('#plot .legend b')].map(b => b.textContent)"
        rows = self.query("SELECT event, n FROM interval ORDER BY id, event")
        first = dict(rows[:4])
        self.assertEqual(page.js(values)[0], f"{first[1] / first[0]:.4g}")
        self.assertEqual(page.js(values)[1], f"{1000 * first[2] / first[1]:.4g}")
        page.js("{ const e = document.querySelector('#rate'); e.value = '0'; e.dispatchEvent(new Event('change')); }")
        self.assertEqual(page.js("document.querySelectorAll('#plot figcaption')[2].firstChild.textContent.trim()"),
                         page.js("document.querySelector('#rate').selectedOptions[0].text.split(' (')[0]"))

    def move(self, page, selector, x, y):
        left, top = page.js(f"(() => {{ const e = document.querySelector('{selector}'); e.scrollIntoView({{block: 'center'}});"
                            "const b = e.getBoundingClientRect(); return [b.x, b.y]; })()")
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=left + x, y=top + y)

    def cycles(self, page):
        """The sample has no event that tells of stalls."""
        self.assertTrue(page.js("document.querySelector('#cycles').hidden"))

    def misses(self, page):
        self.assertFalse(page.js("document.querySelector('#misses').hidden"))
        self.assertEqual(page.js("document.querySelector('#misses small').textContent"), "L1D_CACHE_REFILL")
        self.assertIn("1,007 misses in 3 of 4 sets; the most in set 0, 2.78 times the average: lines compete",
                      page.js("document.querySelector('#spread').textContent"))
        self.assertEqual(page.js("[...document.querySelectorAll('#map text.name')].map(t => t.textContent)"),
                         ["nodes", "0x407ff000", "[heap]"])
        size = page.js("(() => { const c = document.querySelector('#map canvas'); return [c.width, c.height]; })()")
        self.assertEqual(size, [79, 3])  # columns of 64 cycles, regions
        opaque = ("[...document.querySelector('#map canvas').getContext('2d').getImageData(0, 0, 79, 3).data]"
                  ".filter((n, i) => i % 4 === 3 && n > 0).length")
        self.assertEqual(page.js(opaque), 4)
        self.move(page, "#map svg", 190 + 18, 4 + 35)
        self.assertEqual(page.js("document.querySelector('#spot').textContent"),
                         "0x20000 to 0x20fff   nodes   0.064 \u00b5s to 0.128 \u00b5s: 600 misses")
        self.move(page, "#sets svg", 60, 8)
        self.assertEqual(page.js("document.querySelector('#set').textContent"),
                         "Set 0: 700 misses (69.51 %, 2.78 times the average)   nodes 100.00 %")
        self.move(page, "#sets svg", 44 + 38, 8)
        self.assertIn("nodes 66.67 %, 0x407ff000 to 0x407fffff 33.33 %", page.js("document.querySelector('#set').textContent"))
        page.js("document.querySelector('#sets svg').focus()")
        page.press("ArrowRight")
        self.assertIn("Set 2: 0 misses", page.js("document.querySelector('#set').textContent"))
        page.js("document.querySelector('#map svg').focus()")
        page.press("ArrowLeft")
        self.assertIn("nodes   0 \u00b5s to 0.064 \u00b5s: 300 misses", page.js("document.querySelector('#spot').textContent"))

    def test_where_cycles_go(self):
        self.change("UPDATE event SET number = 86, name = 'ISSUE_EMPTY_CYCLES' WHERE id = 1")
        for stalled, rest in ((6210, "not stalled, or not known"), (20000, None)):
            self.change("UPDATE tally SET n = n + ? WHERE event = 1 AND id = (SELECT min(id) FROM tally WHERE event = 1 AND "
                        "(SELECT count(*) FROM counts WHERE tally = id) = 1)",
                        stalled - self.query("SELECT n FROM total WHERE event = 1")[0][0])
            self.change("UPDATE total SET n = ? WHERE event = 1", stalled)
            with self.page() as page:
                rows = self.table(page, "cycles")
                self.assertEqual(rows[0][:2], ["11,330", "100.00"])
                self.assertEqual(rows[1][:2], [f"{stalled:,}", f"{stalled / 113.30:.2f}"])
                if rest:
                    self.assertEqual(rows[2][:2] + rows[2][4:], ["5,120", "45.19", rest])
                else:
                    self.assertIn("some of them overlap", rows[2][0])
                page.click("#cycles tbody tr:nth-child(2)")
                self.assertEqual(page.js("document.querySelector('#event').value"), "1")
                self.assertEqual(page.complaints, [])

    def test_a_profile_without_misses(self):
        for table in ("set_miss", "miss", "region", "cache"):
            self.change(f"DELETE FROM {table}")
        with self.page(dark=True) as page:
            self.assertTrue(page.js("document.querySelector('#misses').hidden"))
            self.assertEqual(page.complaints, [])

    def themes(self, page):
        ground = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(page.js(ground), "rgb(255, 255, 255)")
        page.click("#theme")
        self.assertEqual(page.js(ground), "rgb(21, 24, 28)")
        page.click("#theme")
        page.media(dark=True)
        self.assertEqual(page.js(ground), "rgb(21, 24, 28)")

    def printing(self, page):
        page.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(page.js("getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(page.js("getComputedStyle(document.querySelector('nav')).display"), "none")
        page.pdf(self.folder / "report.pdf")
        self.assertGreater((self.folder / "report.pdf").stat().st_size, 10000)


def missing(case):
    """The packages whose tools are not there."""
    return [package for tool, package in case.TOOLS.items()
            if (browser.find() if tool == "" else shutil.which(tool)) is None]


def main(case):
    if missing(case):
        print(f"not installed: {' '.join(missing(case))} (scripts/setup test)")
        return 77
    done = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(case))
    return 0 if done.wasSuccessful() and done.testsRun > 0 else 1


if __name__ == "__main__":
    import formats  # not as __main__: classes in files of their own import it, too
    formats.ARMPMU, formats.SAMPLE_FILE = (Path(word).absolute() for word in sys.argv[1:3])
    sys.exit(main(getattr(formats, sys.argv[3], None) or getattr(importlib.import_module(sys.argv[3]), sys.argv[3])))
