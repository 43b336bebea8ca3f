"""Accesses from unaligned addresses, which fault or do not: of 32-bit firmware.

usage: unaligned.py ARMPMU ARM_GCC SOURCE

Each is the first access of its instruction, or comes after 200 aligned ones, when the engine knows the block well: they take
turns, and with ARMPMU_TEST_LONG set each is both.
"""
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ARMPMU, ARM_GCC, SOURCE = sys.argv[1:]
del sys.argv[1:]
LONG = "ARMPMU_TEST_LONG" in os.environ

READ, WRITE, NONE = 1, 0x801, 0  # fault status
A = 2  # SCTLR.A
MACHINES = {
    "cortex-a8": ["-mcpu=cortex-a8", "-mfpu=neon", "-DHAS_VBAR", "-DHAS_FPU"],
    "cortex-r4f": ["-mcpu=cortex-r4f", "-mfpu=vfpv3-d16", "-DHAS_FPU"],
    "pxa255": ["-mcpu=xscale", "-mfloat-abi=soft"],
}
# Instruction, address, SCTLR.A, fault status, r2 where there is none.
ALWAYS = [("ldm r0, {r2, r3}", 1, 0, READ), ("ldm r0!, {r2, r3}", 2, 0, READ), ("stm r0, {r2, r3}", 2, 0, WRITE),
 ("ldrd r2, r3, [r0]", 2, 0, READ), ("strd r2, r3, [r0]", 1, 0, WRITE),
          ("ldrex r2, [r0]", 2, 0, READ), ("vldr d0, [r0]", 2, 0, READ), ("vldr s0, [r0]", 1, 0, READ),
          ("vstr d0, [r0]", 2, 0, WRITE), ("vldm r0, {d0, d1}", 2, 0, READ)]
NEON = [("vld1.8 {d0}, [r0:64]", 4, 0, READ), ("vst1.8 {d0}, [r0:64]", 4, 0, WRITE), ("vld1.32 {d0}, [r0]", 2, A, READ),
        ("vld1.32 {d0}, [r0]", 2, 0, NONE, 0x22), ("vld1.8 {d0}, [r0]", 1, A, NONE, 0x22)]
CHECKED = [("ldr r2, [r0]", 1, A, READ), ("ldrh r2, [r0]", 1, A, READ), ("ldrsh r2, [r0]", 3, A, READ),
           ("str r2, [r0]", 2, A, WRITE), ("strh r2, [r0]", 1, A, WRITE), ("ldrb r2, [r0]", 1, A, NONE, 0x22),
           ("ldm r0, {r2, r3}", 2, A, READ), ("ldr r2, [r0], #4", 3, A, READ), ("ldrh r2, [r0]", 2, A, NONE, 0x4433)]
ALLOWED = [("ldr r2, [r0]", 1, 0, NONE, 0x55443322), ("ldrh r2, [r0]", 1, 0, NONE, 0x3322),
           ("ldr r2, [r0]", 2, 0, NONE, 0x66554433)]
ARMV5 = [("ldr r2, [r0]", 1, 0, NONE, 0x11443322), ("ldr r2, [r0]", 2, 0, NONE, 0x22114433),
         ("ldr r2, [r0, #4]", 3, 0, NONE, 0x77665588), ("ldr r2, [r0], #4", 3, 0, NONE, 0x33221144),
         ("ldr r2, [r0, #1]!; mov r2, r0; bic r2, r2, #0xff00; bic r2, r2, #0xff0000", 0, 0, NONE, 1), ("str r3, [r0]; ldr r2, [r0, #-1]", 1, 0, NONE, 0x33)]
# The sum of second bytes, in T16 and in A32: 0x11 or 0x44 twice.
LOOP = """
        .syntax unified
        .arm
        .global _start
_start: ldr r0, =data + OFFSET
        mov r4, #1000
1:      ldr r1, [r0]
        add r2, r1, #1
        str r2, [r0, #8]
        subs r4, r4, #1
        bne 1b
        add r3, pc, #1
        bx r3
        .thumb
        ldr r2, [r0]
        .balign 4
        bx pc
        nop
        .arm
        lsr r1, r1, #24
        add r1, r1, r2, lsr #24
        ldr r3, =0x20026
        ldr r5, =data + 40
        str r3, [r5]
        str r1, [r5, #4]
        mov r1, r5
        mov r0, #0x20
        svc 0x123456
        .ltorg
        .data
        .balign 64
data:   .word 0x11ffff44
        .space 64
"""


class Unaligned(unittest.TestCase):
    def status(self, machine, case, turns, more):
        probe, address, control, status, *value = case
        if machine == "pxa255" and status == WRITE:
            status = READ  # no bit says it
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "probe.elf")
            subprocess.run([ARM_GCC, *MACHINES[machine], *more, f"-DPROBE={probe}", f"-DADDRESS={address}", f"-DCONTROL={control}",
                            f"-DSTATUS={status:#x}", f"-DVALUE={value[0] if value else 0:#x}", f"-DTURNS={turns}", "-nostdlib",
                            "-static", "-Wl,-Ttext=0x10000,--build-id=none,-z,noexecstack,-z,max-page-size=0x1000", SOURCE, "-o",
                            out], check=True)
            done = subprocess.run([ARMPMU, "run", "--timeout", "200", "--machine", machine, out], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, check=False)
            return done.returncode, done.stderr

    def each(self, machine, cases, more=()):
        cases = [(case, turns) for i, case in enumerate(cases) for turns in ((0, 200) if LONG else ((0, 200)[i % 2],))]
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda row: self.status(machine, *row, more), cases))
        for case, (status, err) in zip(cases, found):
            with self.subTest(machine=machine, case=case):
                self.assertEqual(status, 0, err)

    def test_cortex_a8(self):
        self.each("cortex-a8", ALWAYS + NEON + CHECKED + ALLOWED)

    def test_thumb(self):
        self.each("cortex-a8", ALWAYS + CHECKED + ALLOWED, ["-DTHUMB"])

    def test_cortex_r4f(self):
        self.each("cortex-r4f", ALWAYS + CHECKED + ALLOWED)

    def test_xscale(self):
        """Without SCTLR.A a word comes rotated, and is stored where it would be aligned."""
        self.each("pxa255", CHECKED + ARMV5)

    def test_what_an_xscale_counts(self):
        """An unaligned access counts as an aligned one does."""
        counts = []
        for offset in (0, 1):
            with tempfile.TemporaryDirectory() as folder:
                source, out = Path(folder, "p.S"), Path(folder, "p.elf")
                source.write_text(LOOP.replace("OFFSET", str(offset)), encoding="ascii")
                subprocess.run([ARM_GCC, *MACHINES["pxa255"], "-marm", "-nostdlib", "-static",
                                "-Wl,-Ttext=0x10000,--build-id=none", source, "-o", out], check=True)
                done = subprocess.run([ARMPMU, "stat", "--engine", "unicorn", "--no-hot-spot", "--machine", "pxa255", "-x,", "-e",
                                       "0x07,0x0a,0x05,0x0d,0x100", out], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0x88 if offset else 0x22, done.stderr)
                counts.append([line.split(",")[0] for line in done.stderr.splitlines() if line[0].isdigit()])
        self.assertEqual(counts[0], counts[1])

    def test_without_a_vector_table_it_is_said(self):
        with tempfile.TemporaryDirectory() as folder:
            source, out = Path(folder, "p.S"), Path(folder, "p.elf")
            source.write_text(".global _start\n_start: ldr r0, =0x20001\n ldm r0, {r2, r3}\n b .\n", encoding="ascii")
            subprocess.run([ARM_GCC, "-mcpu=cortex-a8", "-marm", "-nostdlib", "-static", "-Wl,-Ttext=0x10000,--build-id=none", source,
                            "-o", out], check=True)
            done = subprocess.run([ARMPMU, "run", "--timeout", "200", out], capture_output=True, text=True, check=False)
            self.assertRegex(done.stderr, r"Data Abort at 0x0*10004 \(it reads 0x0*20001, which is not aligned for it\)")


if __name__ == "__main__":
    unittest.main()
