"""armpmu stat --layouts: the median over layouts, each of which is what a program with as many instructions before its code
counts with as many more in the seed.

usage: layouts.py ARMPMU FOLDER_OF_THE_GUEST_MODULE
"""

import json
import re
import statistics
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

ARMPMU = Path(sys.argv[1]).resolve()
XSCALE = guest.Target("arm-linux-gnueabi-gcc", guest.QEMU, "pxa255", "gcc-arm-linux-gnueabi")
LAYOUTS = 9
SEED = 5
EVENTS = {"cortex-a8": "cycles,instructions,L1I_CACHE,L1I_CACHE_REFILL,BR_MIS_PRED", "pxa255": "cycles,0x7,0x0,0x6",
          "neoverse-n1": "cycles,instructions,L1I_CACHE,BR_MIS_PRED"}

# A loop with calls and branches of several kinds, K instructions further on; its data is on the stack alone.
A32 = """
        .text
        .arm
        .rept K
        nop
        .endr
        .global _start
_start: mov r4, #0
        mov r5, #1000
        sub sp, sp, #4096
1:      bl mix
        tst r0, #64
        addne r4, r4, #1
        bne 2f
        eor r4, r4, r0
2:      and r6, r0, #60
        str r4, [sp, r6]
        ldr r7, [sp, #8]
        tst r7, #4
        beq 3f
        add r4, r4, r7
        b 4f
3:      orr r4, r4, #1
4:      subs r5, r5, #1
        bne 1b
        mov r0, #0
        mov r7, #1
        svc #0
mix:    eor r0, r4, r5, lsl #3
        add r0, r0, r5, lsl #7
        eor r0, r0, r0, lsr #5
        .rept 40
        add r0, r0, #1
        .endr
        bx lr
"""
A64 = """
        .text
        .rept K
        nop
        .endr
        .global _start
_start: mov x4, #0
        mov x5, #1000
        sub sp, sp, #4096
1:      bl mix
        tbnz x0, #6, 2f
        eor x4, x4, x0
2:      and x6, x0, #56
        str x4, [sp, x6]
        ldr x7, [sp, #8]
        tbz x7, #2, 3f
        add x4, x4, x7
        b 4f
3:      orr x4, x4, #1
4:      subs x5, x5, #1
        b.ne 1b
        mov x0, #0
        mov x8, #93
        svc #0
mix:    eor x0, x4, x5, lsl #3
        add x0, x0, x5, lsl #7
        eor x0, x0, x0, lsr #5
        .rept 40
        add x0, x0, #1
        .endr
        ret
"""


class Layouts(unittest.TestCase):
    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def build(self, target, source, before=0):
        missing = guest.missing_tools(target=target)
        if missing:
            self.skipTest(missing)
        (self.folder / "source.S").write_text(source, encoding="utf-8")
        subprocess.run([target.compiler, "-nostdlib", "-static", f"-DK={before}", "source.S", "-o", "program"], cwd=self.folder,
                       check=True)

    def stat(self, *words):
        return subprocess.run([ARMPMU, "stat", "--stable", *words, "--", "./program"], cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False)

    def rows(self, *words):
        done = self.stat("-j", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stderr.splitlines() if line.startswith('{"counter')]

    def check_target(self, target, source, machine):
        words = ["--machine", machine, "-e", EVENTS[machine]]
        each = []
        for run in range(LAYOUTS):
            self.build(target, source, run)
            each.append([int(row["counter-value"]) for row in self.rows(*words, "--seed", str(SEED + run))])
        self.build(target, source)
        rows = self.rows(*words, "--seed", str(SEED), "--layouts", str(LAYOUTS))
        for row, counts in zip(rows, zip(*each)):
            self.assertEqual([int(row["min"]), int(row["counter-value"]), int(row["max"])],
                             [min(counts), statistics.median(counts), max(counts)], row)
        self.assertLess(int(rows[0]["min"]), int(rows[0]["max"]), "all layouts are the same")

    def test_cortex_a8(self):
        self.check_target(guest.ARM, A32, "cortex-a8")

    def test_xscale(self):
        self.check_target(XSCALE, A32, "pxa255")

    def test_neoverse(self):
        self.check_target(guest.AARCH64, A64, "neoverse-n1")

    def test_the_reports(self):
        self.build(guest.ARM, A32)
        words = ["-e", "cycles,instructions", "--layouts", "4"]
        rows = self.rows(*words)
        least, middle, most = (int(rows[0][key]) for key in ("min", "counter-value", "max"))
        self.assertAlmostEqual(rows[0]["variance"], 50 * (most - least) / middle, 5)
        self.assertEqual(rows[1]["variance"], 0)
        text = self.stat(*words).stderr
        self.assertIn("Counts for './program' (median of 4 layouts)", text)
        self.assertRegex(text, rf"{middle:,} +CPU_CYCLES .*\( \+- {rows[0]['variance']:.2f}% \)")
        self.assertIn(f"{middle / 1e9:.9f} seconds simulated", text)
        document = json.loads(self.stat("--json=1", *words).stderr)
        event = document["sections"][0]["events"][0]
        self.assertEqual((document["layouts"], event["min"], event["count"], event["max"]), (4, least, middle, most))
        self.assertNotIn("min", self.rows("-e", "cycles")[0])

    def test_a_gate_on_cycles(self):
        self.build(guest.ARM, A32)
        words = ["-e", "cycles", "--layouts", "5"]
        self.assertEqual(self.stat("--json=1", "-o", "base.json", *words).returncode, 0)
        gate = ["--baseline", "base.json", "--fail-above", "cycles=1"]
        self.assertEqual(self.stat(*words, *gate).returncode, 0)
        self.build(guest.ARM, A32.replace(".rept 40", ".rept 44"))
        self.assertEqual(self.stat(*words, *gate).returncode, 3)

    def test_what_it_refuses(self):
        self.build(guest.ARM, A32)
        for words, say in ((["-r", "2"], "leave out -r"), (["-I", "1"], "--layouts has medians of totals"),
                           (["--topdown"], "--layouts has medians of totals"), (["--mode", "hw"], "--layouts has medians")):
            done = self.stat("--layouts", "3", *words)
            self.assertEqual(done.returncode, 125, done.stderr)
            self.assertTrue(re.search(say, done.stderr), done.stderr)
        self.assertEqual(self.stat("--layouts", "0").returncode, 125)


del sys.argv[1:]
unittest.main()
