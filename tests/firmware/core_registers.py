"""Registers and instructions are those of the machine's core, and no other: under armpmu run, and in a guest whose
processor is QEMU's of another core.

usage: core_registers.py ARMPMU ARM_GCC ARM64_GCC SOURCE [guest]
"""
import os
import subprocess
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ARMPMU, ARM_GCC, ARM64_GCC, SOURCE, *GUEST = sys.argv[1:]
del sys.argv[1:]
WITH_QEMU = Path(__file__).resolve().parents[2] / "scripts/with-qemu11"
UNDEFINED = 77

R4F = ["-mcpu=cortex-r4f"]
A8 = ["-mcpu=cortex-a8", "-DHAS_VBAR"]
XSCALE = ["-mcpu=xscale", "-mfloat-abi=soft", "-DXSCALE"]
OPTIONS = {"cortex-r4f": R4F, "tms570ls": R4F, "rm48": R4F, "cortex-a8": A8, "pxa255": XSCALE, "pxa270": XSCALE,
           "ixp425": XSCALE, "xscale-80200": XSCALE}
BOARDS = {  # QEMU's, with a processor that is not the core
    "cortex-r4f": ["-M", "realview-pb-a8", "-cpu", "cortex-r5f"],
    "cortex-a8": ["-M", "virt", "-cpu", "cortex-a15"],
    "pxa270": ["-M", "versatilepb", "-cpu", "arm926"],
    "cortex-a53": ["-M", "virt", "-cpu", "max"],
    "cortex-a72": ["-M", "virt", "-cpu", "max"],
    "cortex-a76": ["-M", "virt", "-cpu", "max"],
    "neoverse-n1": ["-M", "virt", "-cpu", "max"],
    "neoverse-n2": ["-M", "virt", "-cpu", "max"],
}
MIDR_ARMV80 = {"cortex-a57": 0x411fd073, "cortex-a72": 0x410fd083}
MIDR_A64 = {**MIDR_ARMV80, "cortex-a53": 0x410fd034, "cortex-a55": 0x412fd050, "cortex-a77": 0x411fd0d1, "cortex-a78": 0x411fd412, "cortex-x1": 0x411fd442, "neoverse-v2": 0x410fd4f2, "cortex-a76": 0x414fd0b1, "neoverse-n1": 0x414fd0c1, "neoverse-v1": 0x411fd402, "neoverse-n2": 0x410fd493}
MIDR = {"cortex-r4f": 0x411fc144, "tms570ls": 0x411fc144, "rm48": 0x411fc144, "cortex-a8": 0x413fc082,
        "pxa255": 0x69052d06, "xscale-80200": 0x69052001, "pxa270": 0x69054117, "ixp425": 0x690541c1, **MIDR_A64}
WITH_CPUECTLR2 = ("neoverse-v2", "neoverse-v1", "neoverse-n2")


def mrc(at, coproc=15):
    return f"mrc p{coproc},0,r0,{at}"


def kept(at, value):
    """A write, and the read after it."""
    return f"ldr r0,={value}; mcr p15,0,r0,{at}; mov r0,#0; {mrc(at)}"


OTHER_MONITORS = [instr % at for at in ("c9,c12,6", "c9,c12,7", "c9,c14,3", "c9,c14,4", "c9,c14,6", "c14,c8,0", "c14,c12,0",
                                        "c14,c15,7") for instr in ("mrc p15,0,r0,%s", "mcr p15,0,r0,%s")]
OTHER_MONITORS += ["mrrc p15,0,r0,r1,c9", "mcrr p15,0,r0,r1,c9"]
ID_OF_ARMV7 = {"cortex-a8": 0x400, "cortex-r4f": 0x10400}


def of_r4f(_):
    ready = {mrc(at): value for at, value in {
        "c0,c0,2": 0x10001, "c0,c0,4": 0xc00, "c0,c0,5": 0, "c0,c0,7": 0x411fc144, "c0,c2,0": 0x01101111,
        "c0,c2,2": 0x21232131, "c1,c0,1": 0x20, "c15,c2,0": 0, "c15,c2,1": 0, "c15,c2,7": 0, "c9,c2,0": 0}.items()}
    ready[kept("c15,c0,0", "1 << 16")] = 1 << 16
    ready[kept("c11,c0,0", "3")] = 3
    ready[kept("c1,c0,1", "0x0e000080")] = 0x0e000080
    ready["mcr p15,0,r0,c15,c14,0"] = 0
    ready["mcr p15,0,r0,c15,c5,0"] = 0
    ready["mcr p15,0,r0,c0,c0,0"] = UNDEFINED
    ready["mrc p15,0,r0,c15,c14,0"] = UNDEFINED
    ready["mov r0,#16; msr cpsr_c,r0; mrc p15,0,r0,c15,c0,0"] = UNDEFINED  # User mode
    return ready


def of_xscale2(_):
    return {mrc(f"{at},c0,0", 14): UNDEFINED for at in ("c0", "c1", "c2", "c3")}


def of_xscale1(_):
    return {mrc(f"{at},0", 14): UNDEFINED for at in ("c0,c1", "c1,c1", "c4,c1", "c5,c1", "c8,c1", "c0,c2", "c3,c2")}


def of_a53(_):
    probes = {f"mov x0,#5; msr {name},x0; mov x0,#0; mrs x0,{name}": 5 for name in (
        "S3_1_C11_C0_2", "S3_1_C11_C0_3", "S3_1_C15_C0_0", "S3_1_C15_C2_0", "S3_1_C15_C2_1", "S3_1_C15_C2_2", "S3_1_C15_C2_3")}
    probes["mrs x0,S3_0_C15_C1_0"] = UNDEFINED
    return probes


def of_armv80(machine):
    probes = {f"mov x0,#5; msr {name},x0; mov x0,#0; mrs x0,{name}": 5 for name in (
        "S3_1_C11_C0_2", "S3_1_C11_C0_3", "S3_1_C15_C0_0", "S3_1_C15_C2_0", "S3_1_C15_C2_1", "S3_1_C15_C2_2", "S3_1_C15_C2_3")}
    probes["mrs x0,S3_1_C15_C2_1; lsr x0,x0,#32"] = 0x1b
    probes["mrs x0,pmcr_el0"] = {"cortex-a57": 0x41013000, "cortex-a72": 0x41023000}[machine]
    # No later core's registers, no PMMIR_EL1, no activity monitors; PMUVer 1, AMU 0.
    probes.update({f"mrs x0,{name}": UNDEFINED for name in ("S3_0_C15_C1_0", "S3_0_C15_C1_4", "S3_0_C9_C14_6", "S3_3_C13_C2_0")})
    probes["mrs x0,id_aa64dfr0_el1; ubfx x0,x0,#8,#4"] = 1
    probes["mrs x0,id_aa64pfr0_el1; ubfx x0,x0,#44,#4; add x0,x0,#3"] = 3
    return probes


def of_a55(_):
    probes = {f"mov x0,#5; msr {name},x0; mov x0,#0; mrs x0,{name}": 5 for name in (
        "S3_0_C15_C1_0", "S3_0_C15_C1_1", "S3_0_C15_C1_4", "S3_0_C15_C2_7")}
    probes.update({f"mrs x0,{name}": UNDEFINED for name in ("S3_0_C15_C1_2", "S3_1_C15_C2_0", "S3_3_C13_C2_0")})
    return probes


def of_neoverse(machine):
    if machine in MIDR_ARMV80:
        return of_armv80(machine)
    probes = {f"{move}; mov x0,#0; mrs x0,{name}": 5 for name in (
        "S3_0_C15_C1_0", "S3_0_C15_C1_1", "S3_0_C15_C1_2", "S3_0_C15_C1_4", "S3_0_C15_C2_7", "S3_0_C15_C7_0")
              for move in (f"mov x0,#5; msr {name},x0",)}
    probes["mrs x0,S3_0_C15_C0_0"] = 0
    probes["mrs x0,S3_0_C15_C1_5"] = 0 if machine in WITH_CPUECTLR2 else UNDEFINED
    return probes


# What only the engines' own instructions are about.
DIVIDE = ".word 0xe730f110"
ACCUMULATE = {f".word 0xec444000; .word {insn:#x}; .word 0xec510000": value for insn, value in (
    (0xee203012, 15), (0xee202012, 9), (0xee283012, 15), (0xee2c3012, 15), (0xee2f3012, 0))}
IWMMXT = [".word 0xee300000; .word 0xee000180", ".word 0xee402010"]


def probes_of(machine):
    family = machine if machine in ("cortex-a53", "cortex-a55") else "neoverse" if machine in MIDR_A64 else {"tms570ls": "cortex-r4f", "rm48": "cortex-r4f"}.get(machine, machine)
    probes = {("mrs x0,midr_el1" if machine in MIDR_A64 else mrc("c0,c0,0")): MIDR[machine]}
    if family in ID_OF_ARMV7:
        probes[mrc("c0,c1,2")] = ID_OF_ARMV7[family]
        probes.update({probe: UNDEFINED for probe in OTHER_MONITORS})
    probes.update({"cortex-r4f": of_r4f, "pxa270": of_xscale2, "ixp425": of_xscale2, "pxa255": of_xscale1,
                   "xscale-80200": of_xscale1, "cortex-a53": of_a53, "cortex-a55": of_a55, "neoverse": of_neoverse}.get(family, lambda _: {})(machine))
    return probes


def instructions_of(machine):
    if OPTIONS.get(machine) == R4F:
        return {DIVIDE: UNDEFINED}
    if OPTIONS.get(machine) != XSCALE:
        return {}
    return {**ACCUMULATE, **{probe: 0x2003 if machine == "pxa270" else UNDEFINED for probe in IWMMXT}}


class Registers(unittest.TestCase):
    built = {}

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = holder.name

    def program(self, *words):
        """What a compiler makes of the source, once: machines with the same core have the same programs."""
        if words not in self.built:
            out = Path(tempfile.mkdtemp(dir=self.folder), "probe.elf")
            subprocess.run([*words, "-nostdlib", "-static", SOURCE, "-o", out], check=True)
            self.built[words] = out
        return self.built[words]

    def status(self, machine, probe, expected, *words):
        is_64 = machine in MIDR_A64
        base = "0x40080000" if is_64 or (GUEST and machine == "cortex-a8") else "0x100000"
        value = hex(expected) if expected != UNDEFINED else "0x2003"
        program = self.program(ARM64_GCC if is_64 else ARM_GCC, *OPTIONS.get(machine, []), f"-DPROBE={probe}",
                               f"-DEXPECT={value}", f"-DVBAR=vbar_el{1 if GUEST else 3}", *(["-DGUEST"] if GUEST else []),
                               f"-Wl,-Ttext={base},--build-id=none,-z,noexecstack")
        if GUEST:
            run = [WITH_QEMU, ARMPMU, "guest", "-o", os.devnull, "--machine", machine, "--", "qemu-system-" + (
                "aarch64" if is_64 else "arm"), *BOARDS[machine], "-semihosting", "-display", "none", "-serial", "none",
                   "-monitor", "none", "-kernel", program]
        else:
            run = [ARMPMU, "run", "--timeout", "200", "--machine", machine, *words, program]
        return subprocess.run(run, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=600).returncode

    def probe(self, machine, probes):
        with ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda row: self.status(machine, *row), probes.items()))
        for (probe, expected), status in zip(probes.items(), found):
            with self.subTest(machine=machine, probe=probe):
                self.assertEqual(status, UNDEFINED if expected == UNDEFINED else 0)

    def test_registers(self):
        for machine in BOARDS if GUEST else MIDR:
            self.probe(machine, probes_of(machine))

    @unittest.skipIf(GUEST, "QEMU's processor executes what it has")
    def test_instructions(self):
        for machine in OPTIONS:
            self.probe(machine, instructions_of(machine))


if __name__ == "__main__":
    unittest.main()
