"""Runs the activity monitors' conformance program in AArch64 machines.

usage: amu.py PLUGIN ELF CASE

CASE, of CASES below: which processor and which unit; each run is judged by what the program says and by what
the plugin reports of its windows. "without": without the plugin the program must end by the exception that its
first access causes. "again": with QEMU's clock made of its own instructions, two runs must be the same to the
byte, reports included. "together": ELF is traps.elf, whose two processors are trapped at the same time. "aarch32": ELF is aarch32.elf, at whose AArch32 code
QEMU must end with a message and leave the terminal as a shell needs it. BUILD is where scripts/with-qemu11 keeps its QEMU. Skipped (77) without one.
"""

import os
import re
import sys
import tempfile
import termios
from pathlib import Path

import qemu11

MACHINE = "neoverse-n2"
SECONDS = 2800
TRAPS = 3000  # of each processor in traps.S
TOTAL = re.compile(r"^(\d+) checks, (\d+) wrong$")
# What the four counters count.
SIGNALS = ["CPU_CYCLES", "CONSTANT_CYCLES", "INST_RETIRED", "MEMORY_STALL"]

# The processor, arguments of the plugin, and what the program must find. It looks for the memory-mapped view
# at one address.
VIEW = ",frame=0x43ff0000:0x1000"
CASES = {
    "plain": ("neoverse-n2", VIEW, "unit AMUv1, 3 auxiliary counters"),
    "enabled": ("neoverse-n2", ",amu=enabled+group1:0", "unit AMUv1, 0 auxiliary counters"),
    "fine-traps": ("max", "", "unit AMUv1, 3 auxiliary counters, fine-grained traps"),
    "v1p1": ("max", ",amu=v1p1+group1:16" + VIEW, "unit AMUv1p1, 16 auxiliary counters, fine-grained traps"),
    "again": ("max", ",amu=v1p1+group1:5", "unit AMUv1p1, 5 auxiliary counters, fine-grained traps"),
    "without": ("max", None, None),
}


def run(elf, processor, plugin_option, more=()):
    """Exit status and lines of the program."""
    words = ["qemu-system-aarch64", "-M", "virt,secure=on,virtualization=on", "-cpu", processor,
             "-display", "none", "-monitor", "none", "-serial", "none", "-semihosting-config",
             "enable=on,target=native", "-kernel", elf, *more]
    if plugin_option is not None:
        words += ["-plugin", plugin_option]
    done = qemu11.run(*words, timeout=SECONDS)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def run_together(plugin, elf):
    """What two processors say of their traps: how many arrived, how many were wrong."""
    done = qemu11.run("qemu-system-aarch64", "-M", "virt,virtualization=on", "-cpu", "neoverse-n2", "-smp", "2",
                      "-display", "none", "-monitor", "none", "-serial", "stdio", "-kernel", elf, "-plugin",
                      f"{plugin},machine={MACHINE}", timeout=SECONDS)
    return [int(line, 16) for line in done.stdout.splitlines()]


def run_aarch32(plugin, elf):
    """Complaints about how QEMU ended, with its console on a terminal."""
    controller, terminal = os.openpty()
    done = qemu11.run("qemu-system-aarch64", "-M", "virt,virtualization=on", "-cpu", "cortex-a72", "-nographic",
                      "-kernel", elf, "-plugin", f"{plugin},machine={MACHINE}", timeout=SECONDS, stdin=terminal)
    flags = termios.tcgetattr(terminal)[3]
    os.close(terminal)
    os.close(controller)
    message = "armpmu-qemu.so: the guest executes AArch32 code"
    complaints = [] if done.returncode == 125 and message in done.stderr else [f"{done.returncode}: {done.stderr}"]
    wanted = termios.ICANON | termios.ECHO | termios.ISIG
    return complaints if flags & wanted == wanted else [*complaints, f"the terminal's flags are {flags:#x}"]


def marks(report):
    """{signal: count} at each mark, all modes together."""
    found, record = [], {}
    for line in report.splitlines():
        words = line.split()
        if words[0] == "at":
            record = {}
        elif words[0] == "mark":
            found.append(record)
        elif len(words) == 4 and words[0].isdigit():
            record[words[2]] = record.get(words[2], 0) + int(words[3])
    return found


def judge_checks(status, lines, unit, has_view):
    """Complaints about what the program found."""
    if any(line.startswith("ok view: ") for line in lines) != has_view:
        return ["the memory-mapped view is " + ("not there" if has_view else "there")]
    wrong = [line for line in lines if line.startswith("WRONG ")]
    right = sum(line.startswith("ok ") for line in lines)
    totals = [match for match in map(TOTAL.match, lines) if match]
    if status != 0 or wrong or len(totals) != 1:
        return [f"ended with status {status}", *wrong]
    if (int(totals[0][1]), int(totals[0][2])) != (right, 0):
        return [f"{totals[0][0]}, and {right} are ok"]
    return [] if unit in lines else [f"found no {unit}: {lines[0]}"]


def windows_of(lines):
    return [[int(word, 16) for word in line.split()[1:]] for line in lines if line.startswith("window ")]


def judge_windows(lines, report, clocks):
    """The program's last three windows: a mark before its counters are stopped, started and stopped again."""
    windows, at = windows_of(lines), marks(report)[-9:]
    if len(windows) != 3 or len(at) != 9:
        return [f"{len(windows)} windows of 3, {len(at)} marks of 9"]
    complaints = []
    for number, window in enumerate(windows):
        start, end = at[3 * number + 1], at[3 * number + 2]
        for name, count in zip(SIGNALS, window):
            truth = end.get(name, 0) - start.get(name, 0)
            if count != truth or count == 0:
                complaints.append(f"window {number}: the guest reads {count} {name}, the model counted {truth}")
        cycles, constant, retired, stalls = window
        if abs(cycles * clocks[1] - constant * clocks[0]) > max(clocks):
            complaints.append(f"window {number}: {cycles} cycles and {constant} ticks of clocks {clocks}")
        if stalls > cycles or retired < 7 * (1000 << number):
            complaints.append(f"window {number}: {window}")
    return complaints


def clocks_of():
    """kHz of the core and of the system counter: the machine file's, with those it is based on."""
    folder, clocks = Path(__file__).resolve().parents[2] / "machines", {}
    name = MACHINE
    while name:
        text = (folder / f"{name}.ini").read_text(encoding="utf-8")
        for key in ("mhz", "counter_khz"):
            found = re.search(rf"^{key} *= *(\d+)", text, re.MULTILINE)
            if found:
                clocks.setdefault(key, int(found[1]))
        base = re.search(r"^base *= *(\S+)", text, re.MULTILINE)
        name = base[1] if base else None
    return clocks["mhz"] * 1000, clocks["counter_khz"]


def run_with_report(plugin, elf, case, folder, more=()):
    processor, arguments, _ = CASES[case]
    report = Path(folder, "report")
    option = f"{plugin},machine={MACHINE},report={report},marks=on{arguments}"
    status, lines = run(elf, processor, option, more)
    return status, lines, report.read_text(encoding="ascii") if report.exists() else ""


def main(plugin, elf, case):
    plugin = Path(plugin).resolve()
    if case == "without":
        status, lines = run(elf, CASES[case][0], None)
        print("\n".join(lines))
        return 0 if status == 2 and lines == ["WRONG exception: none can be here"] else 1
    if case == "together":
        said = run_together(plugin, elf)
        print(said)
        return 0 if said == [TRAPS, 0, TRAPS, 0] else 1
    if case == "aarch32":
        complaints = run_aarch32(plugin, elf)
        print("\n".join(complaints))
        return 1 if complaints else 0
    with tempfile.TemporaryDirectory() as folder:
        icount = ["-icount", "shift=0,sleep=off"] if case == "again" else []
        status, lines, report = run_with_report(plugin, elf, case, folder, icount)
        complaints = judge_checks(status, lines, CASES[case][2], VIEW in CASES[case][1])
        if not complaints:
            complaints = judge_windows(lines, report, clocks_of())
        if case == "again" and run_with_report(plugin, elf, case, folder, icount) != (status, lines, report):
            complaints.append("a second run is not the same")
    print("\n".join(line for line in lines if not line.startswith("ok ")))
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
