"""Pages of other data than a profile: two runs of armpmu diff, results of a sweep, commits; and very many rows."""

import json
import re
import subprocess

import browser
import formats
from formats import Case, run


class pages(Case):
    TOOLS = {"": "chromium-headless-shell"}
    ROWS = "[...document.querySelectorAll('{} tbody tr')].map(tr => [...tr.cells].map(c => c.textContent))"

    def page(self, path, **options):
        return browser.Page(browser.find(), path, **options)

    def data_of(self, path):
        return json.loads(re.search(r'id="data">(.*?)</script>', path.read_text(), re.S)[1])

    def page_of(self, /, **data):
        """A page with other data in the place of a profile's."""
        page, path = self.convert("html"), self.folder / "other.html"
        text = re.sub(r'(id="data">).*?(</script>)', lambda m: m[1] + json.dumps(data) + m[2], page.read_text(), count=1, flags=re.S)
        path.write_text(text)
        return path

    def rows(self, page, selector):
        return page.js(self.ROWS.format(selector))

    def compare(self, *words):
        """fib takes twice its cycles, memcpy is gone, another compiler made the program."""
        run(formats.SAMPLE_FILE, self.folder / "before.data")
        for sql in ("UPDATE tally SET n = 2 * n WHERE event = 0 AND id IN (SELECT tally FROM counts WHERE insn IN (5, 6))",
                    "DELETE FROM counts WHERE insn = 10",
                    "UPDATE total SET n = (SELECT sum(n) FROM count WHERE event = total.event)", "DELETE FROM interval"):
            self.change(sql)
        path = self.folder / "changes.html"
        subprocess.run([formats.ARMPMU, "diff", "--format=html", "-o", path, *words, "before.data", self.data.name],
                       cwd=self.folder, check=True, capture_output=True)
        return path

    def test_two_runs(self):
        path = self.compare()
        changed = [json.loads(line) for line in run(formats.ARMPMU, "diff", "-j", "-e", "cycles", "before.data", self.data.name,
                                                    cwd=self.folder).splitlines()]
        with self.page(path) as page:
            events = {row[4]: row[:2] for row in self.rows(page, "#events-changed")}
            self.assertEqual(events, {c["name"]: [f"{c['before']:,}", f"{c['after']:,}"] for c in changed if c["kind"] == "event"})
            functions = {row[4]: row[:4] for row in self.rows(page, "#changed") if len(row) > 1}
            self.assertEqual(functions["memcpy"], ["900", "0", "\u2212900", "gone"])
            self.assertEqual(functions["fib"][2], "+" + functions["fib"][0])
            self.assertEqual(set(functions), {c["name"] for c in changed if c["kind"] == "function"})
            lines = [row[4] for row in self.rows(page, "#lines") if len(row) > 1]
            self.assertEqual(set(lines), {c["name"] for c in changed if c["kind"] == "line"})
            self.flame(page)
            self.assertEqual(page.complaints, [])

    def flame(self, page):
        texts = "[...document.querySelectorAll('#flame g')].map(g => [g.textContent, g.querySelectorAll('rect.less').length])"
        boxes = page.js(texts)
        self.assertIn(["+ fib", 0], boxes)
        self.assertNotIn(["\u2212 memcpy", 1], boxes)  # no width after
        page.js("{ const e = document.querySelector('#width'); e.value = 'before'; e.dispatchEvent(new Event('change')); }")
        self.assertIn(["\u2212 memcpy", 1], page.js(texts))

    def test_very_many_changes(self):
        path = self.compare()
        text, data = path.read_text(), self.data_of(path)
        line = next(c for c in data["changes"]["changes"] if c["kind"] == "line")
        data["changes"]["changes"] += [{**line, "name": f"f.c:{i}", "before": 10 * i, "after": i} for i in range(20000)]
        path.write_text(re.sub(r'(id="data">).*?(</script>)', lambda m: m[1] + json.dumps(data) + m[2], text, count=1, flags=re.S))
        with self.page(path, width=800) as page:
            self.assertLess(page.js("document.querySelectorAll('#lines tr').length"), 200)
            self.assertTrue(page.js("[...document.querySelectorAll('#lines td.n')].every(td => td.scrollWidth <= td.clientWidth + 1)"))
            self.assertEqual(page.complaints, [])

    def test_counts_without_profiles(self):
        for name, cycles in (("a", 1000), ("b", 1500)):
            (self.folder / f"{name}.json").write_text("\n".join(json.dumps(
                {"event": event, "number": number, "counter-value": str(n)}) for event, number, n in
                (("CPU_CYCLES", "0x11", cycles), ("INST_RETIRED", "0x08", 700))))
        run(formats.ARMPMU, "diff", "--format=html", "-o", "c.html", "a.json", "b.json", cwd=self.folder)
        with self.page(self.folder / "c.html") as page:
            self.assertEqual(self.rows(page, "#events-changed"), [["1,000", "1,500", "+500", "+50.00 %", "CPU_CYCLES"]])
            self.assertTrue(page.js("document.querySelector('#calls').hidden"))
            self.assertEqual(page.complaints, [])

    def sweep(self, machines):
        return {"schema": "armpmu-sweep", "program": "./<program>", "is-complete": True, "machines": machines}

    def test_a_sweep(self):
        machines = [{"machine": name, "settings": {"l1d.size_kb": size}, "counts": {"CPU_CYCLES": n * int(size) + 1000}, "metrics": {"ipc": 0.5}}
                    for n, name in enumerate(("cortex-a8", "<b>board")) for size in ("16", "32", "64")]
        with self.page(self.page_of(sweep=self.sweep(machines)), dark=True) as page:
            titles = page.js("[...document.querySelectorAll('.chart figcaption')].map(c => c.firstChild.textContent.trim())")
            self.assertEqual(titles, ["CPU_CYCLES", "ipc"])
            self.assertEqual(page.js("document.querySelectorAll('.chart polyline').length"), 4)
            dashes = page.js("[...document.querySelectorAll('.chart polyline')].map(p => p.getAttribute('stroke-dasharray'))")
            self.assertNotEqual(dashes[0], dashes[1])
            self.assertEqual(self.rows(page, "#results")[5], ["<b>board", "64", "1,064", "0.5"])
            # By keys: the second size is shown in every chart.
            page.js("document.querySelector('.chart > svg').focus()")
            for _ in range(2):
                page.press("ArrowRight")
            self.assertEqual(page.js("[...document.querySelectorAll('.chart .legend b')].map(b => b.textContent)"), ["1,000", "1,032", "0.5", "0.5"])
            self.assertEqual(page.js("document.querySelector('#point').textContent"), "l1d.size_kb 32")
            page.js("{ const e = document.querySelector('#over'); e.value = 'machine'; e.dispatchEvent(new Event('change')); }")
            self.assertEqual(page.js("document.querySelectorAll('.chart polyline').length"), 6)
            self.assertEqual(page.complaints, [])

    def test_equal_values_have_an_axis(self):
        """One commit, or the same round number in each: a line through the middle, or on the axis."""
        for counts in ([1000], [1000, 1000], [0, 0]):
            commits = [{"revision": str(i), "date": "", "A": n} for i, n in enumerate(counts)]
            with self.page(self.page_of(trend={"commits": commits})) as page:
                self.assertEqual(page.complaints, [])
                self.assertGreater(page.js("document.querySelectorAll('.chart line.grid').length"), 1)

    def test_commits(self):
        commits = [{"revision": "a" * 40, "date": "2026-11-01", "A": 10}, {"revision": "b" * 40, "date": "2026-11-02", "A": 20, "A.percent": 100, "cause": "another machine"}]
        with self.page(self.page_of(trend={"commits": commits}), width=400) as page:
            self.assertEqual(self.rows(page, "#results"), [["a" * 40, "2026-11-01", "", "10"],
                             ["b" * 40, "2026-11-02", "another machine", "20"]])
            self.assertEqual(page.js("document.querySelectorAll('.chart').length"), 1)
            self.assertEqual(page.complaints, [])

    def test_long_source(self):
        """Columns are as wide as they need, and keys reach each line and instruction."""
        data = self.data_of(self.convert("html"))
        line, file = data["code"]["lines"][0], data["files"][0]
        line.update(file=file["path"], line=2900, insns=500 * line["insns"])
        file.update(text=[[n, f"line {n}"] for n in range(1, 3001)], counts=[[n, 0, n] for n in range(1, 3001)], sums=[0, 4711])
        with self.page(self.page_of(**data), width=800) as page:
            chosen = f"document.querySelector('#hot tr[data-place=\"{file['path']}:2900\"]')"
            page.js(chosen + ".click()")
            page.js("document.querySelectorAll('#line table')[1].querySelector('tr[data-row=\"0\"]').focus()")
            page.press("End")
            self.assertEqual(page.js("document.activeElement.dataset.row"), str(len(line["insns"]) - 1))
            wide = "[...{}.cells].map(c => c.getBoundingClientRect().width)"
            self.assertLess(max(page.js(wide.format("document.activeElement"))[:2]), 110)
            page.js(chosen + ".focus()")
            page.press("Enter")
            self.assertEqual(page.js("[...document.activeElement.cells].map(c => c.textContent)"), ["2,900", "25.60", "2900", "line 2900"])
            self.assertLess(max(page.js(wide.format("document.activeElement"))[:3]), 80)
            self.assertIn(f"{100 * 4711 / data['events'][0]['total']:.2f} %", page.js("document.querySelector('#files summary').textContent"))
            self.assertEqual(page.complaints, [])

    def test_very_many_rows(self):
        """Few are in the document, keys reach the last one, and none is drawn for long."""
        machines = [{"machine": "cortex-a8", "settings": {"random.seed": str(i)}, "counts": {"CPU_CYCLES": i}} for i in range(50000)]
        with self.page(self.page_of(sweep=self.sweep(machines))) as page:
            self.assertLess(page.js("document.querySelectorAll('#results tr').length"), 200)
            page.js("document.querySelector('#results tr[data-row=\"0\"]').focus()")
            page.press("End")
            self.assertEqual(page.js("document.activeElement.textContent"), "4999949,999")
            page.press("ArrowUp")
            self.assertEqual(page.js("document.activeElement.textContent"), "4999849,998")
            self.assertLess(page.js("document.querySelectorAll('#results tr').length"), 200)
            self.assertEqual(page.complaints, [])
