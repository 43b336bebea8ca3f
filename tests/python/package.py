"""The Python package, with a real program.

usage: package.py SOURCES BUILD PROGRAM
"""

import contextlib
import importlib.util
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import tempfile
import unittest
from pathlib import Path

SOURCES, BUILD, PROGRAM = (Path(sys.argv.pop(1)).resolve() for _ in range(3))
ARMPMU = BUILD / "armpmu"
sys.path.insert(0, str(SOURCES / "python"))
os.environ["ARMPMU"] = str(ARMPMU)

import armpmu  # noqa: E402
from armpmu.__main__ import main  # noqa: E402

EVENTS = ["CPU_CYCLES", "INST_RETIRED", "L1D_CACHE_REFILL"]
CODE = bytes.fromhex("040091e4012052e2fcffff1a")  # loop: ldr r0, [r1], #4;  subs r2, r2, #1;  bne loop


def needs(*modules):
    lacking = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(lacking, f"not installed: {', '.join(f'python3-{module}' for module in lacking)}")


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def armpmu(self, command, *options):
        path = self.folder / f"{command}.out"
        subprocess.run([ARMPMU, command, "--stable", *options, "-o", path, "--", PROGRAM], check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)
        return path

    def main(self, *words, status=0):
        out, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            self.assertEqual(main(list(map(str, words))), status, said.getvalue())
        return out.getvalue() if status == 0 else said.getvalue()


class Runs(Case):
    def test_stat_has_what_the_command_counts(self):
        document = json.loads(self.armpmu("stat", "--json=1", "-e", ",".join(EVENTS)).read_text())
        report = armpmu.stat(PROGRAM, events=EVENTS)
        self.assertEqual(report.document["sections"], document["sections"])
        self.assertEqual(sorted(report.counts), sorted(EVENTS))
        self.assertAlmostEqual(report.metrics["ipc"], report.counts["INST_RETIRED"] / report.counts["CPU_CYCLES"], 5)
        self.assertEqual([row["event"] for row in report.rows()], [event["event"] for event in document["sections"][0]["events"]])
        self.assertEqual((report.exit_status, report.is_complete), (0, True))

    def test_settings_reach_the_machine(self):
        small = armpmu.stat(PROGRAM, machine="cortex-a8", events=EVENTS, settings={"l1d.size_kb": 4})
        self.assertGreater(small.counts["L1D_CACHE_REFILL"], armpmu.stat(PROGRAM, events=EVENTS).counts["L1D_CACHE_REFILL"])

    def test_sweep_has_each_machine(self):
        table = armpmu.sweep([PROGRAM], machine=["cortex-a8", "cortex-a8-am335x"], events=EVENTS, metrics=["ipc"],
                             settings={"l1d.size_kb": [4, 32]})
        rows = list(table.rows())
        self.assertEqual([(row["machine"], row["l1d.size_kb"]) for row in rows],
                         [(machine, size) for machine in ("cortex-a8", "cortex-a8-am335x") for size in (4, 32)])
        small = armpmu.stat(PROGRAM, machine="cortex-a8", events=EVENTS, settings={"l1d.size_kb": 4})
        self.assertEqual({event: rows[0][event] for event in EVENTS}, small.counts)
        self.assertIn("ipc", rows[0])

    def test_record_has_the_totals_of_stat(self):
        with armpmu.record(PROGRAM, events=EVENTS) as profile:
            path = profile.path
            self.assertEqual(profile.totals, armpmu.stat(PROGRAM, events=EVENTS).counts)
            self.assertEqual(profile.about["machine"], "cortex-a8")
            sums = profile.query("SELECT sum(n) FROM by_function WHERE event = ?", "CPU_CYCLES")
            self.assertEqual(sums[0][0], profile.totals["CPU_CYCLES"])
        self.assertFalse(path.exists())

    def test_errors_are_armpmus(self):
        with self.assertRaisesRegex(armpmu.Failed, "did you mean .*L1D_CACHE_REFILL"):
            armpmu.stat(PROGRAM, events="L1D_CACHE_REFIL")
        with self.assertRaisesRegex(armpmu.Failed, "not there"):
            armpmu.record("./no-such-program")
        with self.assertRaisesRegex(armpmu.Failed, "cortex-a88"):
            armpmu.sweep(PROGRAM, machine="cortex-a88")


class Files(Case):
    def test_each_kind_is_known(self):
        self.assertIsInstance(armpmu.load(self.armpmu("stat", "--json=1")), armpmu.Report)
        self.assertIsInstance(armpmu.load(self.armpmu("sweep", "--json=1")), armpmu.Sweep)
        with armpmu.load(self.armpmu("record", "-q")) as profile:
            self.assertIsInstance(profile, armpmu.Profile)

    def test_others_are_refused(self):
        path = self.folder / "file"
        for text, message in (("", "neither"), ("[1]", "neither"), ("{}", "neither"), ('{"schema": "armpmu-stat", "schema-version": 2}', "version 2"),
                              ("SQLite format 3\0", "file")):
            path.write_text(text)
            with self.assertRaisesRegex(ValueError, message):
                armpmu.load(path)
        path.unlink()
        sqlite3.connect(path).executescript("CREATE TABLE a (b)")
        with self.assertRaisesRegex(ValueError, "no profile"):
            armpmu.load(path)
        with self.assertRaises(FileNotFoundError):
            armpmu.load(self.folder / "none")

    def test_later_profiles_are_refused(self):
        path = self.armpmu("record", "-q")
        sqlite3.connect(path).execute("PRAGMA user_version = 99").connection.commit()
        with self.assertRaisesRegex(ValueError, "version 99"):
            armpmu.load(path)


@needs("pandas")
class Frames(Case):
    def test_commands_print_rows(self):
        self.assertRegex(self.main("run", "-e", "instructions", "--", PROGRAM), r"INST_RETIRED,instructions,0x08,[0-9]+,instructions,exact")
        rows = self.main("sweep", "--set", "l1d.size_kb=4,32", "-e", "cycles", "--", PROGRAM).splitlines()
        self.assertEqual((rows[0], len(rows)), ("machine,l1d.size_kb,CPU_CYCLES", 3))
        profile = self.armpmu("record", "-q")
        self.assertIn("main", self.main("load", profile))
        self.assertIn("no view 'by_name'", self.main("load", "--view", "by_name", profile, status=1))
        self.assertIn("KEY=VALUE", self.main("run", "--set", "x", "--", PROGRAM, status=1))
        self.assertIn("name the program", self.main("sweep", status=1))

    def test_views_are_frames(self):
        with armpmu.record(PROGRAM, events=EVENTS) as profile:
            frame = profile.frame("by_function", "CPU_CYCLES")
            self.assertEqual(frame["n"].sum(), profile.totals["CPU_CYCLES"])
            with self.assertRaisesRegex(ValueError, "not recorded"):
                profile.frame("by_line", "BR_MIS_PRED")

    @needs("matplotlib")
    def test_figures_have_each_curve(self):
        from armpmu import plot
        table = self.armpmu("sweep", "--json=1", "--machine", "cortex-a8,cortex-a8-am335x", "--set", "l1d.size_kb=4,8,32", "-e",
                            "cycles,instructions")
        axes = plot.sweep(armpmu.load(table).frame(), "l1d.size_kb", "CPU_CYCLES", per="INST_RETIRED")
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["cortex-a8", "cortex-a8-am335x"])
        self.assertEqual(list(axes.get_lines()[0].get_xdata()), [4, 8, 32])
        self.main("plot", table, "-x", "l1d.size_kb", "-y", "CPU_CYCLES", "-o", self.folder / "figure.svg")
        self.assertIn("cortex-a8-am335x", (self.folder / "figure.svg").read_text())
        self.assertIn("no column 'cycles'", self.main("plot", table, "-x", "l1d.size_kb", "-y", "cycles", "-o", "x.svg", status=1))
        with armpmu.record(PROGRAM) as profile:
            bars = plot.bars(profile.frame("by_function", "CPU_CYCLES"), "function", 3)
        self.assertEqual(len(bars.patches), 3)

    @needs("matplotlib", "nbformat")
    @unittest.skipIf(shutil.which("arm-linux-gnueabihf-gcc") is None, "arm-linux-gnueabihf-gcc is not installed")
    def test_the_notebook_makes_its_figure(self):
        import nbformat
        notebook = nbformat.read(SOURCES / "python/thesis_figure.ipynb", 4)
        nbformat.validate(notebook)
        cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        self.assertLessEqual(sum(len(cell.splitlines()) for cell in cells), 20)
        for name in ("examples", "include"):
            (self.folder / name).symlink_to(SOURCES / name)
        before, names = os.getcwd(), {}
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        for cell in cells:
            exec(compile(cell, "thesis_figure.ipynb", "exec"), names)  # pylint: disable=exec-used
        self.assertTrue(Path("figure.pdf").read_bytes().startswith(b"%PDF"))
        misses = names["table"].groupby("machine")["L2_CACHE_MISS"].agg(["first", "last"])
        self.assertEqual(len(misses), 3)
        self.assertTrue((misses["first"] > 10 * misses["last"]).all())


@needs("cffi")
@unittest.skipIf(shutil.which("cc") is None or shutil.which("pkg-config") is None, "cc or pkg-config is not installed")
@unittest.skipIf(not Path(sysconfig.get_paths()["include"], "Python.h").exists(), "not installed: python3-dev")
class Models(Case):
    def setUp(self):
        super().setUp()
        libraries = f"{BUILD}/src/libarmpmu-sim.a {BUILD}/src/libarmpmu.a"
        (self.folder / "libarmpmu-sim.pc").write_text(
            "Name: libarmpmu-sim\nDescription: of the build folder\nVersion: 0\nRequires: capstone, inih\n"
            f"Libs: {libraries} -pthread\nCflags: -I{SOURCES}/include -I{BUILD}/include\n")
        os.environ.update(PKG_CONFIG_PATH=str(self.folder), XDG_CACHE_HOME=str(self.folder))

    def test_a_loop_counts_as_in_c(self):
        from armpmu import sim
        core = sim.Core("cortex-a8", {1: sim.Block(0x8000, CODE, 3, sim.A32)})
        core.run([record for i in range(100) for record in (sim.block(1), sim.access(0, 0x20000 + 4 * i))])
        core.finish()
        counts = core.counts()
        self.assertEqual((counts["INST_RETIRED"], counts["L1D_CACHE"], counts["L1D_CACHE_REFILL"]), (300, 100, 7))
        self.assertEqual(core.signals()["LOAD_RETIRED"], 100)
        with self.assertRaisesRegex(ValueError, "block 7, which it never defined"):
            core.run([sim.block(7)])
        with self.assertRaisesRegex(ValueError, "no machine is called 'cortex-a88'"):
            sim.Core("cortex-a88", {})
        with self.assertRaisesRegex(ValueError, "l1d.size_kb = 64"):
            sim.Core("cortex-a8", {}, {"l1d.size_kb": 64})


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "Agg"
    unittest.main()
