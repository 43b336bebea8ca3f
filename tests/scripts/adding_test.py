"""The recipes of docs/adding.md: scripts/new-core makes a core that builds, is listed, and counts as the one it is like;
an output format is a file and a row, an event on a signal that is there is a row.

usage: adding_test.py CHECK_SET

In a copy of the sources, built there without optimization: two cores, which replay saved traces, so that no plugin is
built; with ARMPMU_TEST_LONG set five, which count a program of CHECK_SET, too.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
CHECK_SET = Path(sys.argv.pop()).resolve()

# A core to start from, its machine, the folder of its programs, and a trace of tests/counts.
LIKE = {"cortex-a8": ("cortex-a8", "cortex_a8", "text-t32"), "cortex-r4f": ("cortex-r4f", "cortex_r4f", "heap-r4f"),
        "xscale2": ("pxa270", "xscale", "heap-xscale"), "amuv1": ("amuv1", "amuv1", "heap-a64"),
        "neoverse-n2": ("neoverse-n2", "neoverse", "sort-a64")}
LONG = "ARMPMU_TEST_LONG" in os.environ
if not LONG:
    LIKE = {core: LIKE[core] for core in ("cortex-a8", "neoverse-n2")}

EVENT = """EVENT(0x5B, INSTRUCTIONS_AGAIN, OCCURRENCES, MODELLED, ONE(INST_RETIRED),
      CUSTOMARY("INSTRUCTIONS_TOO"),
      "executed instructions, once more")
RESERVED(0x5C, 0x5F)"""

# An event a line: its name and its count.
FORMAT = """#include "cli/run/report.h"

#include <inttypes.h>

static bool edge(const struct report *report, FILE *stream)
{
    (void)report, (void)stream;
    return true;
}

static bool section(const struct report *report, const struct report_section *section, FILE *stream)
{
    (void)report;
    for (size_t i = 0; i < section->n_rows; i++)
        fprintf(stream, "%s=%" PRIu64 "\\n", section->rows[i].label, section->rows[i].count);
    return true;
}

const struct report_printer print_pairs = {edge, section, edge, NULL};
"""


def left_out(folder, names):
    """Builds and what no build needs."""
    return [name for name in names if name in (".git", ".cache", "__pycache__") or
            (Path(folder) / name / "build.ninja").exists()]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, "CCACHE_DISABLE": "1"}, **options)


class Adding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = Path(cls.folder.name, "armpmu")
        shutil.copytree(SOURCE, cls.root, ignore=left_out)

    def new_core(self, *words):
        return run(self.root / "scripts/new-core", *words)

    def checked(self, *command):
        done = run(*command, cwd=self.root)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def counts(self, machine, what):
        done = self.checked(self.root / "b/armpmu", what[0], "-j", "-e", "all", "--machine", machine, *what[1:])
        rows = [json.loads(line) for line in done.stderr.splitlines()]
        return {row["event"]: row["counter-value"] for row in rows if "event" in row}

    def add_event(self):
        catalogue = self.root / "src/catalog/cortex_a8.def"
        rows = catalogue.read_text(encoding="utf-8")
        self.assertEqual(rows.count("RESERVED(0x5B, 0x5F)"), 1)
        catalogue.write_text(rows.replace("RESERVED(0x5B, 0x5F)", EVENT), encoding="utf-8")

    def add_format(self):
        (self.root / "src/cli/run/stat_pairs.c").write_text(FORMAT, encoding="utf-8")
        with (self.root / "src/cli/run/stat_formats.def").open("a", encoding="utf-8") as rows:
            rows.write('FORMAT(pairs, 0, "pairs", NULL, false, "NAME=COUNT lines", NULL)\n')

    def check_event_and_format(self, what):
        command = self.root / "b/armpmu"
        self.assertIn("INSTRUCTIONS_AGAIN", self.checked(command, "list", "0x5b").stdout)
        self.assertIn("--pairs", self.checked(command, "stat", "--help").stdout)
        self.assertIn("--pairs", self.checked(command, "completion", "line", "--", "stat", "--p").stdout)
        done = self.checked(command, what[0], "--pairs", "-e", "INST_RETIRED,r5b", *what[1:])
        name, count = done.stderr.splitlines()[0].split("=")
        self.assertEqual((name, done.stderr.splitlines()[1:]), ("INST_RETIRED", ["INSTRUCTIONS_AGAIN=" + count]))
        self.assertGreater(int(count), 0)
        done = run(command, what[0], "--pairs", "-j", *what[1:])
        self.assertEqual((done.returncode, done.stderr.splitlines()[0]),
                         (125, "armpmu: --pairs and -j are two formats; choose one"))

    def test_what_cannot_be_made_is_said(self):
        for words, message in ((("cortex-a8", "--like", "cortex-r4f"), "cortex-a8 is there already"),
                               (("Cortex_R8", "--like", "cortex-r4f"), "is no name of a core"),
                               (("cortex-r8", "--like", "cortex-r9"), "there is no core cortex-r9; there are")):
            with self.subTest(words):
                done = self.new_core(*words)
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(message, done.stderr)

    def test_what_is_added_counts(self):
        self.add_event()
        self.add_format()
        for like in LIKE:
            registry = (self.root / "src/catalog/cores.def").read_text(encoding="utf-8")
            done = self.new_core("new-" + like, "--like", like)
            self.assertEqual(done.returncode, 0, done.stderr)
            after = (self.root / "src/catalog/cores.def").read_text(encoding="utf-8")
            self.assertEqual(after.count("\n"), registry.count("\n") + 1)
            self.assertTrue(after.startswith(registry))
        self.checked("meson", "setup", "b", "--buildtype=plain", "-Dtests=disabled",
                     "-Dunicorn=disabled", "-Dwarning_level=0")
        self.checked("ninja", "-C", "b", "armpmu", *(["armpmu-qemu.so"] if LONG else []))
        for like, (machine, programs, trace) in LIKE.items():
            with self.subTest(like):
                listed, expected = (self.checked(self.root / "b/armpmu", "list", "--core", name).stdout
                                    for name in ("new-" + like, like))
                self.assertEqual(listed, expected)
                for what in self.what_runs(programs, trace):
                    if like == "cortex-a8":
                        self.check_event_and_format(what)
                    counts = self.counts("new-" + like, what)
                    self.assertGreater(len(counts), 3)
                    self.assertEqual(counts, self.counts(machine, what))

    @staticmethod
    def what_runs(programs, trace):
        """Commands, each with what it counts."""
        yield "replay", SOURCE / f"tests/counts/{trace}.trace"
        if LONG and CHECK_SET.is_dir() and shutil.which("qemu-arm"):
            yield "stat", "--", next(file for file in sorted((CHECK_SET / programs).rglob("*"))
                                     if file.is_file() and file.read_bytes()[:4] == b"\x7fELF")


if __name__ == "__main__":
    unittest.main()
