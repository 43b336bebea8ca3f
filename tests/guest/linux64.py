"""Debian's AArch64 kernel uses the activity monitors: found, read at every tick, shut to programs.

usage: linux64.py PLUGIN READER [--processors N] [--not-enabled] [--log FILE]

READER: amu/reader.c, compiled for AArch64. The kernel computes how fast its processors run from counters 0 and 1
(frequency invariance) once cpufreq says how fast they can run; for that the machine's device tree gets a clock
and an operating point. The plugin's list of accesses says what was read. --not-enabled: with firmware that
leaves the counters off the kernel must say so, and read no more. The environment as for boot.py.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import boot
import initramfs

PROCESSOR = "neoverse-n2"
HERTZ = 2000000000
SECONDS = 8000
CYCLES, CONSTANT = "S3_3_C13_C4_0", "S3_3_C13_C4_1"
# The kernel's line has no end: a reader sees it when the next message comes.
NEXT_MESSAGE = "echo next > /dev/kmsg"
COMMANDS = ["dmesg | grep 'Activity Monitors'", "reader", "insmod /bin/cpufreq-dt.ko",
            f"for second in $(seq 60); do {NEXT_MESSAGE}; dmesg | grep -q 'AMU: CPU' && break; sleep 1; done; "
            "sleep 2",
            "dmesg | grep 'AMU: CPU'", "cat /sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq"]


def machine_words(processors):
    return ["-cpu", PROCESSOR, "-m", "256", "-smp", str(processors)]


def call(words):
    done = subprocess.run(words, text=True, check=False, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise boot.BootFailed(f"{' '.join(map(str, words))}: {done.stderr.strip()}")


def make_tree(folder, processors):
    """QEMU's device tree, with one frequency that all processors run at."""
    tree = folder / "guest.dtb"
    call(boot.with_qemu("qemu-system-aarch64", "-M", f"virt,gic-version=3,dtb-randomness=off,dumpdtb={tree}",
                        *machine_words(processors), "-nographic"))
    call(["fdtput", "-c", tree, "/core-clock", "/opp-table", "/opp-table/opp-1"])
    for words in (["-t", "s", tree, "/core-clock", "compatible", "fixed-clock"],
                  ["-t", "i", tree, "/core-clock", "#clock-cells", "0"],
                  ["-t", "i", tree, "/core-clock", "clock-frequency", str(HERTZ)],
                  ["-t", "i", tree, "/core-clock", "phandle", "36865"],
                  ["-t", "s", tree, "/opp-table", "compatible", "operating-points-v2"],
                  ["-t", "s", tree, "/opp-table", "opp-shared", ""],
                  ["-t", "i", tree, "/opp-table", "phandle", "36866"],
                  ["-t", "i", tree, "/opp-table/opp-1", "opp-hz", "0", str(HERTZ)]):
        call(["fdtput", *words])
    for number in range(processors):
        call(["fdtput", "-t", "i", tree, f"/cpus/cpu@{number}", "clocks", "36865"])
        call(["fdtput", "-t", "i", tree, f"/cpus/cpu@{number}", "operating-points-v2", "36866"])
    return tree


def run(plugin, reader, processors, enabled, log):
    """The boot, and the plugin's list of accesses: (processor, read or write, register, outcome) to its
    count and values."""
    guest = boot.fetched("fetch-guest", "--arm64")
    board = boot.Board("virt", [], "", "ttyAMA0", None, None, None, True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        image, accesses = folder / "initramfs.cpio", folder / "accesses"
        image.write_bytes(initramfs.build(
            COMMANDS, {"reader": reader, "cpufreq-dt.ko": guest / "cpufreq-dt.ko"}, guest / "busybox"))
        # CI shows the last lines of a failed test: they are to be the complaint, not the report.
        option = f"{plugin},machine={PROCESSOR},accesses={accesses},report={folder / 'report'}"
        option += ",amu=enabled" if enabled else ""
        words = boot.with_qemu(
            "qemu-system-aarch64", "-M", "virt,gic-version=3", *machine_words(processors), "-nographic",
            "-no-reboot", "-monitor", "none", "-serial", "stdio", "-kernel", guest / "vmlinuz", "-initrd",
            image, "-dtb", make_tree(folder, processors), "-append",
            'console=ttyAMA0 quiet panic=-1 cryptomgr.notests dyndbg="file topology.c +p"', "-plugin", option)
        done = boot.watch(words, COMMANDS, board, SECONDS, log)
        lines = accesses.read_text(encoding="ascii").splitlines()[1:]
    found = {}
    for processor, way, register, outcome, count, first, last in map(str.split, lines):
        values = (0, 0) if first == "-" else (int(first, 16), int(last, 16))
        found[int(processor), way, register, outcome] = (int(count), *values)
    return done, found


def judge_ticks(found, processors):
    """Each processor's kernel reads both counters, as often, and they move."""
    complaints = []
    for number in range(processors):
        reads = [found.get((number, "read", register, "done"), (0, 0, 0)) for register in (CYCLES, CONSTANT)]
        if reads[0][0] < 20 or reads[0][0] != reads[1][0] or any(last <= first for _, first, last in reads):
            complaints.append(f"CPU{number} read {CYCLES} {reads[0]} and {CONSTANT} {reads[1]}")
    return complaints


def judge(done, found, processors, enabled):
    features, reader, module, _, said, frequency = (command.output for command in done.commands)
    complaints = []
    for number in range(processors):
        if not any(f"detected CPU{number}: Activity Monitors Unit (AMU)" in line for line in features):
            complaints.append(f"the kernel found none in CPU{number}: {features}")
    if reader != ["signal 4 at the first read, AMU field 0"] or module:
        complaints.append(f"a program: {reader}; the module: {module}")
    if frequency != [str(HERTZ // 1000)]:
        complaints.append(f"frequency: {frequency}")
    if sum(found.get((number, "read", CYCLES, "trap-el1"), (0,))[0] for number in range(processors)) != 1:
        complaints.append("the program's read was not trapped once")
    # Those of PMUv3, beside the activity monitors, are its driver's.
    writes = {key[2:]: value for key, value in found.items() if key[1] == "write" and "_C13_" in key[2]}
    if writes != {("S3_3_C13_C2_3", "done"): writes.get(("S3_3_C13_C2_3", "done"))}:
        complaints.append(f"the kernel wrote {writes}; only AMUSERENR is its own")
    cpus = "0" if processors == 1 else f"0-{processors - 1}"
    right = f"AMU: CPUs[{cpus}]: counters will be used for FIE." if enabled else \
        "AMU: CPU0: cycle counters are not enabled."
    if not any(right in line for line in said):
        complaints.append(f"the kernel says {said}, not {right}")
    return complaints + (judge_ticks(found, processors) if enabled else [])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--processors", type=int, default=1)
    parser.add_argument("--not-enabled", action="store_true")
    parser.add_argument("--log")
    parser.add_argument("plugin")
    parser.add_argument("reader")
    o = parser.parse_args()
    try:
        done, found = run(Path(o.plugin).resolve(), o.reader, o.processors, not o.not_enabled, o.log)
    except boot.BootFailed as failure:
        print(failure)
        return 1
    complaints = judge(done, found, o.processors, not o.not_enabled)
    for command in done.commands:
        print(f"# {command.line} -> {command.status}", *command.output, sep="\n")
    for key, value in sorted(found.items()):
        print(*key, *value)
    print(f"{done.seconds:.0f} s", *complaints, sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
