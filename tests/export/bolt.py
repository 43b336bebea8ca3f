"""armpmu convert --to bolt: llvm-bolt reads it. Run by formats.py."""

import shutil

from formats import run
from samples import Trained

NAMES = "llvm-bolt", "llvm-bolt-19", "llvm-bolt-16", "llvm-bolt-15"
BOLT = next((name for name in NAMES if shutil.which(name)), NAMES[0])


class bolt(Trained):
    TOOLS = {BOLT: "bolt-16 (34 MB)", "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu"}
    COMPILE = "aarch64-linux-gnu-gcc", "-g"
    LINK = "-no-pie", "-Wl,--emit-relocs"
    RECORD = "-b", "-e", "INST_RETIRED,BR_MIS_PRED"

    def edges(self):
        """[(from, to, mispredicted, n)], whose ends are (function, offset)."""
        rows = [line.split() for line in self.convert("bolt").read_text().splitlines()]
        return [((row[1], int(row[2], 16)), (row[4], int(row[5], 16)), int(row[6]), int(row[7])) for row in rows]

    def test_totals(self):
        """Each branch has its edges; what else there is runs on to the next block as often as it executed."""
        branches = {(name, offset): counts for name, offset, *counts in self.query(
            "SELECT f.symbol, i.address - f.address, sum(e.n), sum(e.mispredicted) FROM edge e JOIN insn i ON i.id = from_insn "
            "JOIN function f ON f.id = i.function GROUP BY i.id")}
        executed = {(name, offset): n for name, offset, n in self.query(
            "SELECT f.symbol, i.address - f.address, sum(c.n) FROM count c JOIN insn i ON i.id = c.insn JOIN function f "
            "ON f.id = i.function JOIN event e ON e.id = c.event WHERE e.name = 'INST_RETIRED' GROUP BY i.id")}
        found = {}
        for (name, offset), _, wrong, n in self.edges():
            sums = found.setdefault((name.split("/")[0], offset), [0, 0])
            sums[0] += n
            sums[1] += wrong
        mine = {place: sums for place, sums in found.items() if place[0] in ("main", "add", "mix", "_start")}
        self.assertGreater(len(mine), 10)
        for place, sums in mine.items():
            self.assertEqual(sums, branches.get(place, [executed[place], 0]), place)
        self.assertTrue(any(place not in branches for place in mine))

    def test_calls_have_the_numbers_that_the_program_prints(self):
        words = int(self.said[3])
        calls = {(a[0], b[0]): 0 for a, b, *_ in self.edges()}
        for a, b, _, n in self.edges():
            calls[a[0], b[0]] += n if b[1] == 0 else 0
        self.assertEqual(calls["main", "add/1"] + calls["main", "mix/1"], words)
        self.assertEqual(calls["main", "mix/1"], words / 8)

    def test_bolt_makes_a_faster_program_of_it(self):
        self.convert("bolt")
        said = run(BOLT, self.program, "-o", self.folder / "faster", "-data", self.folder / "armpmu.fdata",
                   "-reorder-blocks=ext-tsp", "-reorder-functions=hfsort", "-v=2")
        self.assertRegex(said, r"BOLT-INFO: [1-9]\d* out of \d+ functions in the binary \(.*\) have non-empty execution profile")
        self.assertNotRegex(said, r"[1-9]\d* stale|mismatch|match only|no valid profile")
        self.assertIn("profile for 1 objects was ignored", said)  # what is outside of the program
        self.assertLess(self.insns(self.folder / "faster"), self.insns(self.program))

    def test_refusals(self):
        program = self.folder / "arm"
        run("arm-linux-gnueabihf-gcc", "-g", "-static", self.SOURCE, "-o", program)
        for words, message in ((("--object", f"words={program}"), "is not an AArch64 program"),
                               (("--object", "none"), "the program is not among the objects of the profile"),
                               (("--object", "words=/dev/null"), "'/dev/null'")):
            with self.assertRaisesRegex(AssertionError, message):
                self.convert("bolt", *words)
        self.change("DELETE FROM edge")
        with self.assertRaisesRegex(AssertionError, "has no branches"):
            self.convert("bolt")
