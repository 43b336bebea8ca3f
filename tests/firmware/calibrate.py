"""What armpmu calibrate measures on a machine is what the machine's file says, key by key.

usage: calibrate.py ARMPMU MACHINES CORE ELF [QEMU LINUX]

MACHINES: the folder of machine files. ELF: the program of 'armpmu calibrate --core=CORE', for the bare core.
QEMU: qemu-arm, which has no time of an Arm core. LINUX: the program for Linux, which must do all its work there.
Machines that the test makes have other numbers than any base: nothing found can be a constant. Of each core one is
measured; with ARMPMU_TEST_LONG set all are, and the shipped ones.
"""

import functools
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ARMPMU, MACHINES = [str(Path(word).resolve()) for word in sys.argv[1:3]]
CORE, ELF, *LINUX = sys.argv[3:]
del sys.argv[1:]

# Machines with the core that are measured, the first as the base of all; those that the test makes, section.key:
# value; and keys that do not show on a machine. A random TLB, another minimum or width than the base's and a level 2
# below four times level 1 are not made: docs/calibrate.md says what is not exact then.
A8 = {
    "shipped": ("cortex-a8", "cortex-a8-am335x", "cortex-a8-plain"),
    "made": {
        "small": {
            "l1i.size_kb": 16, "l1d.size_kb": 16, "way_hash.replay_cycles": 11, "l2.size_kb": 512,
            "l2.hit_cycles": 13, "l2.fetch_hit_cycles": 17, "itlb.entries": 24, "dtlb.entries": 48,
            "walk.cycles": 37, "memory.latency_cycles": 211, "bus.beat_cycles": 9, "bus.write_beat_cycles": 13, "store_buffer.drain_cycles": 11, "branch.btb_entries": 256,
            "branch.mispredict_cycles": 17, "branch.taken_bubble_cycles": 2, "replay.unaligned_cycles": 5,
            "replay.load_boundary_bytes": 32, "replay.store_boundary_bytes": 16, "issue.move_latency": 1,
            "issue.load_latency": 4, "issue.early_extra": 2, "issue.multiply_latency": 9,
            "issue.multiply_cycles": 3, "issue.long_multiply_latency": 11, "issue.long_multiply_cycles": 4,
            "issue.half_multiply_latency": 8, "issue.half_multiply_cycles": 2,
            "issue.block_registers_per_cycle": 4, "issue.flag_latency": 2, "neon.alu_latency": 4,
            "neon.multiply_latency": 8, "neon.float_latency": 7, "neon.permute_latency": 3, "neon.vfp_cycles": 9,
            "neon.vfp_move_cycles": 5, "neon.vfp_from_integer_cycles": 8, "neon.vfp_multiply_cycles": 11,
            "neon.vfp_double_multiply_cycles": 15, "neon.vfp_accumulate_cycles": 19,
            "neon.vfp_double_accumulate_cycles": 23, "neon.vfp_divide_cycles": 31,
            "neon.vfp_double_divide_cycles": 59},
        "narrow": {
            "l1i.size_kb": 8, "l1i.replacement": "lru", "l1d.ways": 2, "l1d.replacement": "round-robin",
            "way_hash.enabled": "no", "l2.size_kb": 128, "l2.ways": 16, "l2.hit_cycles": 25,
            "l2.fetch_hit_cycles": 20, "itlb.entries": 100, "dtlb.entries": 21, "walk.cycles": 66,
            "memory.latency_cycles": 333, "bus.beat_cycles": 2, "bus.write_beat_cycles": 9, "store_buffer.drain_cycles": 3, "branch.btb_entries": 1024, "branch.btb_ways": 4,
            "branch.mispredict_cycles": 9, "branch.wrong_path_fetches": 0, "replay.unaligned_cycles": 3,
            "replay.load_boundary_bytes": 64, "replay.store_boundary_bytes": 4, "issue.width": 1,
            "issue.alu_latency": 2, "issue.load_latency": 3, "issue.multiply_cycles": 1,
            "issue.block_registers_per_cycle": 8}},
    "hidden": {"cortex-a8-plain": ["way_hash.replay_cycles", "bus.beat_cycles", "bus.write_beat_cycles"],
               "narrow": ["way_hash.replay_cycles", "issue.move_latency", "bus.beat_cycles"]},
    "keys": 46}
R4F = {
    "shipped": ("cortex-r4f",),
    "made": {
        "single": {
            "l1i.size_kb": 16, "l1d.size_kb": 64, "memory.latency_cycles": 77, "branch.mispredict_cycles": 11,
            "branch.register_cycles": 3, "issue.width": 1, "issue.alu_latency": 2, "issue.load_latency": 4,
            "issue.early_extra": 2, "issue.address_extra": 3, "issue.multiply_latency": 7,
            "issue.multiply_cycles": 3, "issue.long_multiply_latency": 9, "issue.long_multiply_cycles": 4,
            "issue.half_multiply_latency": 5, "issue.half_multiply_cycles": 2,
            "issue.block_registers_per_cycle": 1, "issue.divide_latency": 13, "issue.signed_divide_latency": 17,
            "vfp.latency": 5, "vfp.accumulate_latency": 9, "vfp.divide_latency": 23, "vfp.double_latency": 12,
            "vfp.double_accumulate_latency": 25, "vfp.double_divide_latency": 80, "vfp.convert_latency": 11,
            "vfp.transfer_latency": 4}},
    "hidden": {},
    "keys": 28}
XSCALE = {
    "l1i.size_kb": 16, "l1d.size_kb": 16, "l1d.ways": 16, "itlb.entries": 20, "dtlb.entries": 50,
    "walk.cycles": 13, "memory.latency_cycles": 131, "bus.beat_cycles": 7, "write_buffer.drain_cycles": 37, "branch.mispredict_cycles": 9,
    "issue.swap_cycles": 9, "issue.system_read_latency": 6, "issue.system_write_cycles": 3}
CORES = {
    "cortex-a8": A8, "cortex-r4f": R4F,
    "xscale1": {"shipped": ("pxa255",), "made": {"slow": XSCALE}, "hidden": {}, "keys": 13},
    "xscale2": {"shipped": ("pxa270", "ixp425"), "made": {"slow": XSCALE}, "hidden": {}, "keys": 13}}
LONG = "ARMPMU_TEST_LONG" in os.environ
CASE = CORES[CORE]
BASE = CASE["shipped"][0]
SHIPPED = CASE["shipped"] if LONG else ()
MADE = dict(list(CASE["made"].items())[:None if LONG else 1])


def armpmu(*words, **options):
    return subprocess.run([ARMPMU, *words], capture_output=True, text=True, check=True, **options)


@functools.cache
def printed_on(machine):
    """Counts do not differ between runs, so one is enough."""
    return armpmu("run", "--timeout", "300", "--machine", machine, ELF).stdout


def machine_file(name, values):
    lines = [f"[machine]\nname = {name}\nbase = {BASE}\n"]
    for section in dict.fromkeys(key.split(".")[0] for key in values):
        lines.append(f"[{section}]\n")
        lines += [f"{key.split('.')[1]} = {value}\n" for key, value in values.items()
                  if key.split(".")[0] == section]
    return "".join(lines)


def keys_of(text):
    """Those that are marked as measured."""
    keys, section = [], ""
    for line in text.splitlines():
        section = line[1:-1] if line.startswith("[") else section
        found = re.fullmatch(r"(\w+) = \d+ +; measured: [\d.]+ [a-zA-Z ]+ \(median of 9\)", line)
        keys += [f"{section}.{found[1]}"] if found else []
    return keys


class Calibrate(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)
        os.environ["ARMPMU_MACHINE_PATH"] = f"{self.folder}:{MACHINES}"

    def values(self, machine):
        """section.key: value."""
        rows = re.findall(r"(?m)^ +(\w+\.\w+) += (\S+)", armpmu("list", "machine", "-v", machine).stdout)
        self.assertGreater(len(rows), 20)
        return dict(rows)

    def judge(self, machine):
        """All keys but the hidden ones were measured; the new file, loaded, is the machine it ran on."""
        new = self.folder / "measured.ini"
        done = armpmu("calibrate", "--read=-", "--name=measured", f"--base={BASE}", "-o", str(new), input=printed_on(machine))
        keys = keys_of(new.read_text(encoding="ascii"))
        missing = re.findall(r"(?m)^armpmu: -: ([\w.]+) stays as in", done.stderr)
        self.assertEqual(sorted(missing), sorted(["clock.mhz", *CASE["hidden"].get(machine, [])]))
        self.assertEqual(len(keys) + len(missing), CASE["keys"] + 1)
        ours, theirs = self.values(machine), self.values("measured")
        self.assertEqual({key: theirs[key] for key in keys}, {key: ours[key] for key in keys})
        return keys

    @unittest.skipIf(not SHIPPED, "make test-long measures it")
    def test_shipped(self):
        for machine in SHIPPED:
            with self.subTest(machine):
                self.judge(machine)

    def make(self, name):
        (self.folder / f"{name}.ini").write_text(machine_file(name, MADE[name]), encoding="ascii")

    def test_made(self):
        base = self.values(BASE)
        for name, values in MADE.items():
            with self.subTest(name):
                self.make(name)
                keys = self.judge(name)
                differ = [key for key in keys if key in values and str(values[key]) != base[key]]
                self.assertGreater(len(differ), len(keys) // 3)

    @unittest.skipIf(not LINUX, "of one core")
    def test_linux(self):
        """The same values, and how long a cycle is. What they are is the host's affair."""
        linux = subprocess.run(LINUX, capture_output=True, text=True, check=True).stdout
        name = next(iter(MADE))
        self.make(name)
        names = [[line.split()[0] for line in text.splitlines()] for text in (linux, printed_on(name))]
        names[0].remove("clock")
        self.assertEqual(names[0], names[1])
        self.assertGreater(len(names[0]), 300)
        new = armpmu("calibrate", "--read=-", "--name=host", input=linux).stdout
        self.assertRegex(new, r"(?m)^mhz = \d+ +; measured: ")


if __name__ == "__main__":
    unittest.main()
