"""armpmu list, as people and programs see it.

usage: list.py ARMPMU SOURCE_ROOT
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "manual"))
import manual_events  # noqa: E402

ARMPMU, ROOT = sys.argv[1], Path(sys.argv[2])
# Of these cores, one for each kind of pipeline, armpmu check runs all programs; with ARMPMU_TEST_LONG set of all cores.
MEASURED = ("cortex-a8", "xscale1", "neoverse-n1")


def run(*words, stdout=subprocess.PIPE, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("ARMPMU")}
    return subprocess.run([ARMPMU, "list", *words], stdout=stdout, stderr=subprocess.PIPE, text=True,
                          env={**clean, **environment}, check=False)


def parse(*words, **environment):
    answer = run("-j", *words, **environment)
    assert answer.returncode == 0, answer.stderr
    return [json.loads(line) for line in answer.stdout.splitlines()]


def shipped_machines():
    return sorted(path.stem for path in (ROOT / "machines").glob("*.ini"))


def numbers(*words):
    return [event["EventCode"] for event in parse(*words)]


class Page(unittest.TestCase):
    def test_pages_of_the_docs_are_what_the_catalogue_prints(self):
        cores = [core["CoreName"] for core in parse("core")]
        for folder, words in (("events", ["list", "--format=md", "--core"]),
                              ("registers", ["regs", "--format=md"])):
            pages = {page.stem: page.read_text() for page in (ROOT / "docs" / folder).iterdir()}
            self.assertEqual(set(cores), set(pages))
            for core in cores:
                with self.subTest(folder=folder, core=core):
                    printed = subprocess.run([ARMPMU, *words, core], capture_output=True, text=True,
                                             check=True)
                    # Of events the first part: the rest is what armpmu check measures.
                    kept = pages[core].split("\n## Evidence\n")[0]
                    self.assertEqual(kept, printed.stdout, "scripts/print-pages prints it again")

    def test_every_event_belongs_to_an_instruction(self):
        """All that are a sum of signals: a page's last column; the others never count in a program."""
        for core in (core["CoreName"] for core in parse("core")):
            text = run("--format=md", "--core", core).stdout
            rows = [row.split(" | ") for row in text.split("## Events\n")[1].split("\n## ")[0].splitlines()
                    if row.startswith("| 0x") and " reserved " not in row]
            owned = [row.split(" | ")[1] for row in text.split("## Where they happen\n")[1].split("\n## ")[0].splitlines()
                     if row.startswith("| 0x")]
            self.assertEqual([row[1] for row in rows if "`" in row[-1]], owned, core)
            self.assertGreater(len(owned), 6)

    def test_the_script_prints_them_all(self):
        cores = [core["CoreName"] for core in parse("core")] if "ARMPMU_TEST_LONG" in os.environ else MEASURED
        with tempfile.TemporaryDirectory() as folder:
            scripts = Path(folder, "scripts")
            scripts.mkdir()
            script = shutil.copy(ROOT / "scripts" / "print-pages", scripts)
            shutil.copy(ROOT / "scripts" / "help.sh", scripts)
            shutil.copy(ROOT / "scripts" / "rests_on.py", scripts)
            Path(folder, "docs").mkdir()
            shutil.copy(ROOT / "docs" / "choices.md", Path(folder, "docs"))
            subprocess.run([script, *cores], check=True, env={**os.environ, "BUILD": Path(ARMPMU).resolve().parent})
            for part in ("events", "registers"):
                printed = {page.stem: page.read_text() for page in Path(folder, "docs", part).iterdir()}
                self.assertEqual({core: (ROOT / "docs" / part / f"{core}.md").read_text() for core in cores}, printed)

    def test_each_page_has_what_its_core_rests_on(self):
        for core in (core["CoreName"] for core in parse("core")):
            printed = subprocess.run([sys.executable, "-B", ROOT / "scripts/rests_on.py", ARMPMU, core, ROOT / "docs/choices.md"],
                                     capture_output=True, text=True, check=True).stdout
            page = (ROOT / "docs" / "events" / f"{core}.md").read_text()
            self.assertTrue(page.endswith(printed), core)
            self.assertIn("\n## Evidence\n", page)

    def test_a_page_that_cannot_be_printed_stays(self):
        with tempfile.TemporaryDirectory() as folder:
            scripts, page = Path(folder, "scripts"), Path(folder, "docs/events/a8.md")
            scripts.mkdir()
            page.parent.mkdir(parents=True)
            page.write_text("as it was", encoding="ascii")
            broken = Path(folder, "armpmu")
            broken.write_text("#!/bin/sh\necho a8\n[ \"$2\" = core ]\n", encoding="ascii")
            broken.chmod(0o755)
            shutil.copy(ROOT / "scripts" / "help.sh", scripts)
            answer = subprocess.run([shutil.copy(ROOT / "scripts" / "print-pages", scripts)],
                                    env={**os.environ, "BUILD": folder}, capture_output=True,
                                    text=True, check=False)
            self.assertEqual((1, "as it was", ["a8.md"]),
                             (answer.returncode, page.read_text(encoding="ascii"),
                              [file.name for file in page.parent.iterdir()]))
            self.assertIn("docs/events/a8.md", answer.stderr)

    def test_page_is_whole_or_nothing(self):
        answer = run("--format=md", "0x03")
        self.assertEqual((125, ""), (answer.returncode, answer.stdout))
        self.assertIn("--format md prints the whole page of a core", answer.stderr)


class Events(unittest.TestCase):
    def test_every_event_of_the_manual_is_listed_once(self):
        expected = manual_events.numbers()
        self.assertEqual([f"0x{number:02x}" for number in expected], numbers())
        lines = run().stdout.splitlines()
        self.assertEqual([f"0x{number:02x}" for number in expected], [s.split()[0] for s in lines])

    def test_details_show_the_reserved_numbers_too(self):
        ranges = [code.split("-") for code in numbers("--details")]
        covered = [n for r in ranges for n in range(int(r[0], 16), int(r[-1], 16) + 1)]
        self.assertEqual(list(range(0x100)), covered)
        self.assertIn("0x13-0x3f  reserved", run("--details").stdout)

    def test_columns_are_aligned(self):
        lines = run().stdout.splitlines()
        places = {min(line.find(f"  {word} ") for word in ("exact", "modelled", "not", "input")
                      if f"  {word} " in line) for line in lines}
        self.assertEqual(1, len(places))
        self.assertEqual(-1, run().stdout.find("\033"))

    def test_globs_select_by_name_alias_and_number(self):
        cases = {
            ("0x03",): ["0x03"],
            ("r03",): ["0x03"],
            ("R0[34]",): ["0x03", "0x04"],
            ("cache-misses",): ["0x03"],
            ("inst_retired",): ["0x08"],
            ("PAPI_L2*",): ["0x43", "0x44"],
            ("External: PMUEXTIN[0]",): ["0x70"],
            ("L1D_CACHE*", "CPU_CYCLES", "cycles"): ["0x03", "0x04", "0x11"],
            ("event", "0x08"): ["0x08"],
            ("0x20",): ["0x13-0x3f"],
        }
        for globs, expected in cases.items():
            with self.subTest(globs=globs):
                self.assertEqual(expected, numbers(*globs))
        self.assertEqual(numbers(), numbers("*"))

    def test_numbers_may_have_four_digits(self):
        amu = "--core=amuv1"
        for globs, expected in {
                ("0x4004",): ["0x4004"],
                ("r4005",): ["0x4005"],
                ("0x0011",): ["0x11"],
                ("0x11",): ["0x11"],
                ("r030?",): ["0x300", "0x301", "0x302", "0x303-0x4003"],
                ("0xffff",): ["0x4006-0xffff"],
        }.items():
            with self.subTest(globs=globs):
                self.assertEqual(expected, numbers(amu, *globs))
        self.assertEqual(["0x03"], numbers("r0003"))

    def test_an_object_holds_what_the_row_holds(self):
        [event] = parse("0x44")
        self.assertEqual({
            "Unit": "armv7_cortex_a8",
            "EventName": "L2_CACHE_MISS",
            "EventCode": "0x44",
            "BriefDescription": "cacheable accesses that miss in the level 2 cache",
            "PublicDescription": "cacheable accesses that miss in the level 2 cache",
            "Encoding": "armv7_cortex_a8/event=0x44/",
            "CountUnit": "occurrences",
            "Fidelity": "modelled",
            "Needs": "model",
            "Signals": ["L2_MISS"],
            "Aliases": {
                "linux": ["LLC-load-misses", "LLC-store-misses", "L2_CACHE_REFILL"],
                "libpfm4": ["L2_CACHE_MISS"],
                "papi": ["PAPI_L2_TCM"],
                "gator": ["Cache: L2 miss"],
            },
        }, event)

    def test_what_perf_calls_the_cycle_counter_has_eight_bits(self):
        for core in ("xscale1", "xscale2"):
            [cycles] = parse(f"--core={core}", "CPU_CYCLES")
            self.assertEqual(("0x100", f"armv5_{core}/event=0xfe/"),
                             (cycles["EventCode"], cycles["Encoding"]))
            [insns] = parse(f"--core={core}", "INSTRUCTION")
            self.assertEqual(f"armv5_{core}/event=0x7/", insns["Encoding"])

    def test_the_event_bus_is_shown_where_there_is_one(self):
        [error] = parse("--core=cortex-r4f", "0x4a")
        self.assertEqual((22, True), (error["EventBusBit"], error["UpdatesCFLR"]))
        [merge] = parse("--core=r4f", "STORE_BUFFER_MERGE")
        self.assertNotIn("EventBusBit", merge)
        self.assertNotIn("EventBusBit", parse("0x03")[0])
        self.assertIn("event bus  EVNTBUS[22], with an update of the CFLR\n",
                      run("--core=r4f", "-v", "0x4a").stdout)
        self.assertIn("event bus  EVNTBUS[6]\n", run("--core=r4f", "-v", "DUAL_ISSUE_PAIR").stdout)

    def test_verbose_tells_everything(self):
        text = run("-v", "0x56").stdout
        for word in ("0x56  ISSUE_EMPTY_CYCLES", "cycles in which there is no instruction to issue",
                     "counts     cycles", "fidelity   modelled", "signals    ISSUE_EMPTY (",
                     "metrics    issue_empty", "linux      stalled-cycles-frontend",
                     "libpfm4    CYCLES_INST_STALL", "papi       PAPI_STL_ICY",
                     "gator      Core: No issue cycles", "customary  CYCLES_INST_STALL"):
            self.assertIn(word, text)
        self.assertLessEqual(max(map(len, run("-v").stdout.splitlines())), 100)

    def test_color_only_when_asked(self):
        self.assertIn("\033[1mINST_RETIRED\033[m", run("--color=always", "0x08").stdout)
        self.assertNotIn("\033", run("--color=never", "0x08").stdout)


class OtherThings(unittest.TestCase):
    def test_registers(self):
        registers = {r["RegisterName"]: r for r in parse("reg")}
        self.assertEqual(12, len(registers))
        self.assertEqual("0x41002000", registers["PMNC"]["Reset"])
        self.assertEqual("p15, 0, c9, c12, 0", registers["PMNC"]["Encoding"])
        self.assertEqual("WO", registers["SWINCR"]["Type"])
        self.assertEqual("reads only", registers["USEREN"]["UserAccess"])
        self.assertEqual("none", registers["INTENS"]["UserAccess"])
        self.assertEqual(4, registers["EVTSEL"]["Copies"])
        self.assertEqual(["PMNC"], [r["RegisterName"] for r in parse("reg", "pmcr")])
        self.assertIn("15:11  N       RO   event counters implemented, 0x4 after reset",
                      run("reg", "-v", "PMNC").stdout)

    def test_metrics(self):
        [metric] = parse("metric", "l1d_miss_rate")
        self.assertEqual("100 * L1D_CACHE_REFILL / L1D_CACHE", metric["MetricExpr"])
        self.assertEqual("cache", metric["MetricGroup"])
        levels = [m["MetricName"] for m in parse("metric", "TopdownL1", "--core=neoverse-v1")]
        self.assertEqual(["frontend_bound", "backend_bound", "retiring", "bad_speculation"], levels)
        names = [m["MetricName"] for m in parse("metrics")]
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("if high    the working set does not fit level 2",
                      run("metric", "-v", "l2_miss_rate").stdout)

    def test_cores(self):
        for word in ("core", "pmu"):
            names = [c["CoreName"] for c in parse(word)]
            self.assertEqual(["cortex-a8", "cortex-r4f"], names[:2])
            self.assertEqual(len(names), len(set(names)))
        self.assertEqual(["cortex-a8"], [c["CoreName"] for c in parse("core", "a8")])
        self.assertEqual(["cortex-r4f"], [c["CoreName"] for c in parse("core", "*cortex_r4")])
        self.assertIn("4 counters of 32 bits and a cycle counter\n", run("core", "a8").stdout)
        self.assertIn("3 counters of 32 bits", run("core", "r4f").stdout)
        self.assertIn("20 counters of 64 bits\n", run("core", "amu").stdout)

    def test_machines(self):
        names = [m["MachineName"] for m in parse("machine")]
        self.assertEqual(shipped_machines(), names)
        [machine] = parse("machine", "*omap*")
        self.assertEqual("720", machine["Values"]["clock.mhz"])
        self.assertIn("l1d.replacement                  = lru", run("machine", "-v", "*-plain").stdout)

    def test_machines_of_one_s_own_come_first_and_hide_others(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "mine.ini").write_text(
                "[machine]\nname = mine\nbase = cortex-a8\ntitle = \xe9\n", encoding="latin-1")
            Path(folder, "cortex-a8-plain.ini").write_text(
                "[machine]\nname = cortex-a8-plain\nbase = cortex-a8\ntitle = not plain\n")
            machines = parse("machine", ARMPMU_MACHINE_PATH=folder)
            others = [name for name in shipped_machines() if name != "cortex-a8-plain"]
            self.assertEqual(["cortex-a8-plain", "mine"] + others,
                             [m["MachineName"] for m in machines])
            found = {m["MachineName"]: m for m in machines}
            self.assertEqual("not plain", found["cortex-a8-plain"]["Title"])
            self.assertEqual("\\xe9", found["mine"]["Title"])

    def test_a_broken_machine_is_told_and_the_rest_listed(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "bad.ini").write_text("[machine]\nname = bad\nfoo = 1\n")
            answer = run("machine", ARMPMU_MACHINE_PATH=folder)
            self.assertEqual(125, answer.returncode)
            self.assertEqual(f"armpmu: {folder}/bad.ini:3: [machine] has no key 'foo'; it has name, "
                             "core, title, base\n", answer.stderr)
            self.assertEqual(len(shipped_machines()), len(answer.stdout.splitlines()))


    def test_a_copied_program_has_its_machines_and_catalogue(self):
        with tempfile.TemporaryDirectory() as folder:
            alone = shutil.copy(ARMPMU, folder)
            machines = subprocess.run([alone, "list", "machine"], capture_output=True, text=True, check=False)
            self.assertEqual((0, run("machine").stdout), (machines.returncode, machines.stdout))
            events = subprocess.run([alone, "list"], capture_output=True, text=True, check=False)
            self.assertEqual((0, run().stdout), (events.returncode, events.stdout))


class Mistakes(unittest.TestCase):
    def check(self, expected, *words, **environment):
        answer = run(*words, **environment)
        self.assertEqual((125, "", f"armpmu: {expected}\n"),
                         (answer.returncode, answer.stdout, answer.stderr))

    def test_signals_are_those_that_events_count(self):
        for core in ("cortex-a8", "cortex-r4f", "xscale1", "amu"):
            signals = {signal["SignalName"]: signal for signal in parse("signal", "--core", core)}
            events = [event for event in parse("event", "--core", core) if event["Signals"]]
            self.assertEqual(set(signals), {name for event in events for name in event["Signals"]})
            for name, signal in signals.items():
                counting = [event["EventName"] for event in events if name in event["Signals"]]
                self.assertEqual(signal["Events"], counting)
        inputs = {signal["SignalName"]: signal.get("Pin") for signal in parse("signal", "--core", "cortex-a8")}
        self.assertEqual(inputs["EXTERNAL_INPUT0"], "PMUEXTIN0")
        self.assertIsNone(inputs["L1D_REFILL"])
        self.assertIn("L1D_REFILL", run("signal", "L1D_*").stdout)
        self.assertIn("events     L1D_CACHE_REFILL", run("signal", "-v", "L1D_REFILL").stdout)

    def test_pins_and_outputs_are_those_of_the_core(self):
        pins = {pin["PinName"]: pin for pin in parse("pin", "--core", "cortex-r4f")}
        self.assertEqual(set(pins), {"USER_MODE", "STANDBY", "DEBUG_HALTED", "DBGEN", "NIDEN", "ETMEXTOUT0", "ETMEXTOUT1"})
        self.assertEqual(pins["ETMEXTOUT1"]["Posts"], "EXTERNAL_INPUT1")
        self.assertEqual(parse("output", "--core", "xscale2"), [{
            "Unit": "armv5_xscale2", "OutputName": "PMU request", "ActiveLow": False,
            "BriefDescription": "XScale: the request to the product's interrupt unit"}])
        self.assertEqual(parse("output", "--core", "amu"), [])
        self.assertEqual(run("output", "--core", "cortex-a8").stdout,
                         "nPMUIRQ  Cortex-A8, Cortex-R4F and PMUv3: an enabled counter has overflowed\n")

    def test_unknown_names_suggest_the_nearest(self):
        self.check("'INST_RETIRD' is not the name of an event; did you mean INST_RETIRED or "
                   "ST_RETIRED?", "INST_RETIRD")
        self.check("'USERENA' is not the name of a register; did you mean USEREN?", "reg",
                   "USERENA")
        self.check("'tms570lz' is not the name of a machine; did you mean tms570ls?",
                   "machine", "tms570lz")
        self.check("'zzz*' is not the name of an event; 'armpmu list event' lists them",
                   "0x03", "zzz*")
        self.check("'0x100' is not the name of an event; 'armpmu list event' lists them",
                   "0x100")

    def test_options(self):
        self.check("list: unknown option --bogus; 'armpmu help list' lists them",
                   "--bogus")
        self.check("list: --core needs a value; see 'armpmu help list'", "--core")
        self.check("--core 'a9': no such core; 'armpmu list core' lists them",
                   "--core", "a9")
        self.check("--format 'xml': there are text, csv, json and md", "--format=xml")
        self.check("--color 'red': there are auto, always and never", "--color=red")
        self.check("no machine is called 'nope'; 'armpmu list machine' lists them, and a "
                   "file is given as ./NAME.ini", "--machine=nope")

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            for words in ((), ("-j",), ("-v",), ("--format=md",)):
                answer = run(*words, stdout=full)
                self.assertEqual(125, answer.returncode)
                self.assertIn("standard output: No space left on device", answer.stderr)

    def test_help(self):
        answer = run("--help")
        self.assertEqual((0, ""), (answer.returncode, answer.stderr))
        self.assertTrue(answer.stdout.startswith("usage: armpmu list "))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
