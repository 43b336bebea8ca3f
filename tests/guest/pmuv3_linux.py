"""Debian's AArch64 kernel and its perf use PMUv3: found by itself, counts, filters, samples, takes turns.

usage: pmuv3_linux.py ARMPMU PLUGIN EVENTS TOPDOWN [--gic N] [--log FILE]

EVENTS, TOPDOWN: pmuv3/events.c and topdown.S, compiled for AArch64. The plugin reports all signals before each write to
PMCR_EL0: what a window of the guest's says is what the model counted between two such writes, event by event. What perf
says of TOPDOWN is what armpmu stat says of it. The rest as for linux64.py.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import boot
import initramfs
from amu import marks
from truth import listed_signals

MACHINE = "neoverse-n2"
SECONDS = 8000
SHIFT = 3  # the guest's clock counts its instructions: how busy the host is does not show in what takes turns
SLOW_SAMPLES = "echo 1000000 >/proc/sys/kernel/perf_event_max_sample_rate; " \
    "echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent"
EVENTS = [0x08, 0x11, 0x01, 0x14, 0x10, 0x12, 0x09]  # of events.c
TURNS = 20000
NEAR = 4  # intervals between two of a window's, at most
TICKS, TICK_CYCLES = 250, 1000  # the kernel's interrupts a second; what each costs a program's own cycles, at most
# The program's first run, as its code is in no cache then. Without groups all events fit the counters at once.
PERF_TOPDOWN = "perf stat -x, --metric-no-group --all-user -M TopdownL1 topdown"
PERF_STAT = "perf stat -x, -e cycles,instructions,instructions:u,instructions:k,r14 busybox md5sum /bin/busybox"
COMMANDS = ["dmesg | grep -e perfevents -e 'Activity Monitors'", SLOW_SAMPLES, "events", f"{PERF_STAT} 2>&1",
            "perf stat -d busybox true 2>&1", f"{PERF_TOPDOWN} 2>&1",
            "perf stat -M TopdownL1 busybox md5sum /bin/busybox 2>&1",
            "perf record -q -e instructions:u -c 200000 -o /tmp/data busybox md5sum /bin/busybox 2>&1 && "
            "perf report --stdio -q -i /tmp/data 2>&1 | head -3",
            "grep arm-pmu /proc/interrupts"]
KERNEL = "hw perfevents: enabled with armv8_pmuv3 PMU driver, 7 counters available"


def run(plugin, programs, gic, log):
    """The boot, and the signals at each mark."""
    guest = boot.fetched("fetch-guest", "--arm64", "--perf")
    board = boot.Board("virt", [], "", "ttyAMA0", None, None, None, True)
    with tempfile.TemporaryDirectory() as name:
        image, report = Path(name, "initramfs.cpio"), Path(name, "report")
        image.write_bytes(initramfs.build(COMMANDS, programs, guest / "busybox", guest.parent / "arm64"))
        words = boot.with_qemu(
            "qemu-system-aarch64", "-M", f"virt,gic-version={gic}", "-cpu", MACHINE, "-m", "512", "-nographic",
            "-no-reboot", "-monitor", "none", "-serial", "stdio", "-kernel", guest / "vmlinuz", "-initrd", image,
            "-append", "console=ttyAMA0 quiet panic=-1 cryptomgr.notests", "-plugin",
            f"{plugin},machine={MACHINE},report={report},marks=on", *boot.icount_options(SHIFT))
        return boot.watch(words, COMMANDS, board, SECONDS, log), marks(report.read_text(encoding="ascii"))


def topdown_metrics(armpmu):
    lines = subprocess.run([armpmu, "list", "metric", "-j", f"--core={MACHINE}", "Topdown_L1"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return list(map(json.loads, lines))


def shares_of_stat(armpmu, program):
    """What armpmu stat counts of the program, and its shares."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "stat.json")
        subprocess.run([armpmu, "stat", "--machine", MACHINE, "--json=1", "-M", "TopdownL1", "-o", file, "--", program],
                       check=True)
        events = json.loads(file.read_text(encoding="utf-8"))["sections"][0]["events"]
    return ({event["event"]: event["count"] for event in events},
            {metric["name"]: metric["value"] for event in events for metric in event["metrics"]})


def is_sum(target, between, at):
    """Whether some of the intervals from one on, near one another, add up to a window."""
    if not any(target):
        return True
    return any(all(part <= left for part, left in zip(between[i], target)) and
               is_sum([left - part for part, left in zip(between[i], target)], between, i + 1)
               for i in range(at, min(at + NEAR, len(between))))


def judge_windows(windows, found, signals):
    """Each is what happened between two marks, or in several such intervals: the kernel stops all counters while
    another task runs, and writes PMCR_EL0 for that more than once."""
    between = [[sum(end.get(name, 0) - start.get(name, 0) for name in signals[event]) for event in EVENTS]
               for start, end in zip(found, found[1:])]
    between = [interval for interval in between if any(interval)]
    complaints = [f"the guest reads {window}, which is not between any of {len(found)} writes of PMCR_EL0"
                  for window in windows if not any(is_sum(window, between, at) for at in range(len(between)))]
    if len(windows) != 3 or any(window[0] < 2 * TURNS or window[4:] == [0, 0, 0] for window in windows):
        complaints.append(f"windows {windows}")
    return complaints


def judge_turns(turns, rows):
    """Twenty events on six counters."""
    complaints = [] if len(rows) == 20 else [f"{len(rows)} events took turns"]
    for running, enabled, count in rows:
        if not 0.15 <= running / enabled <= 0.45:
            complaints.append(f"an event ran {running / enabled:.0%} of the time, six of twenty is right")
        elif not 0.75 * 2 * turns <= count * enabled / running <= 1.3 * 2 * turns:
            complaints.append(f"{count} in {running / enabled:.0%} of the time; {2 * turns} in all is right")
    return complaints


def judge_events(lines, found, signals):
    rows = {}
    for line in lines:
        kind, *numbers = line.split()
        rows.setdefault(kind, []).append([int(number) for number in numbers if number.isdigit()])
    (less, more), = rows["user"]
    (user, kernel, both), = rows["modes"]
    (count, period, samples, others), = rows["sampled"]
    complaints = judge_windows(rows["window"], found, signals) + judge_turns(rows["multiplexed"][0][0],
                                                                            rows["multiplex"])
    if more - less != 4 * TURNS or less - 2 * TURNS > 60:
        complaints.append(f"EL0 alone: {less} and {more}, {2 * TURNS} and {6 * TURNS} are in the loops")
    if user + kernel != both or user < 300 or kernel < 300:
        complaints.append(f"EL0 {user} and EL1 {kernel} are {both}")
    if samples != count // period or others:
        complaints.append(f"{samples} samples and {others} other records, {count} holds {count // period} periods")
    return complaints if rows["read"] == [[4]] else [*complaints, f"a read from EL0: {rows['read']}"]


def judge_perf(lines):
    counts = [int(line.split(",")[0]) for line in lines if "," in line and line.split(",")[0].isdigit()]
    if len(counts) != 5 or counts[2] + counts[3] != counts[1] or min(counts) == 0:
        return [f"perf stat: {lines}"]
    return []


def judge_formulas(counts, shares, metrics):
    """perf's figures, which it rounds to a tenth, are those of armpmu's formulas."""
    complaints = []
    for metric in metrics:
        name = metric["MetricName"]
        value = eval(metric["MetricExpr"], {"__builtins__": {}}, counts)  # pylint: disable=eval-used
        if abs(shares[name] - value) > 0.05001:
            complaints.append(f"{name}: perf says {shares[name]}, the formula {value:.4f} of {counts}")
    return complaints


def judge_program(lines, metrics, stat):
    """The same program in the guest and under armpmu stat: its operations are the same to the last, and its shares as
    far as the kernel's interrupts let them be."""
    rows = [line.split(",") for line in lines if line.count(",") == 6]
    counts = {row[2]: int(row[0]) for row in rows if row[0].isdigit()}
    shares = {row[6].split()[-1]: float(row[5]) for row in rows if row[5]}
    if sorted(shares) != sorted(metric["MetricName"] for metric in metrics) or \
            any(row[4] != "100.00" for row in rows if row[0]):
        return [f"{PERF_TOPDOWN}: {lines}"]
    complaints = judge_formulas(counts, shares, metrics)
    ticks = max(int(row[3]) for row in rows if row[0]) * TICKS / 1e9
    allowed = 0.1 + 100 * ticks * TICK_CYCLES / counts["CPU_CYCLES"]
    if counts["OP_RETIRED"] != stat[0]["OP_RETIRED"] or allowed > 5:
        complaints.append(f"the guest retires {counts['OP_RETIRED']} operations, armpmu stat {stat[0]['OP_RETIRED']}; "
                          f"{ticks:.0f} ticks allow differences of {allowed:.2f}")
    return complaints + [f"{name}: {share} in the guest, {stat[1][name]:.2f} by armpmu stat, {allowed:.2f} is allowed"
                         for name, share in shares.items() if abs(share - stat[1][name]) > allowed]


def judge_topdown(lines):
    """The four shares of the slots, of turns on six counters."""
    shares = {words[-1]: float(words[0]) for words in (re.findall(r"[\w.]+", line.split("#")[1].split("(")[0])
                                                       for line in lines if "percent of slots" in line)}
    whole = sum(shares.values())
    if set(shares) != {"retiring", "bad_speculation", "frontend_bound", "backend_bound"} or not 90 < whole < 110:
        return [f"perf stat -M TopdownL1: {lines}"]
    return []


def judge(done, found, armpmu, program):
    log, _, events, stat, detail, shares, topdown, record, interrupts = (command.output for command in done.commands)
    complaints = [] if any(KERNEL in line for line in log) else [f"the kernel says {log}"]
    if not any("Activity Monitors Unit" in line for line in log):
        complaints.append("the kernel finds no activity monitors")
    complaints += judge_events(events, found, listed_signals(armpmu, MACHINE)) + judge_perf(stat) + judge_topdown(topdown)
    complaints += judge_program(shares, topdown_metrics(armpmu), shares_of_stat(armpmu, program))
    if not any("instructions" in line and "insn per cycle" in line for line in detail):
        complaints.append(f"perf stat -d: {detail}")
    if not any("%" in line and "busybox" in line for line in record):
        complaints.append(f"perf record: {record}")
    if not interrupts or int(interrupts[0].split()[1]) < 400:
        complaints.append(f"interrupts: {interrupts}")
    return complaints


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gic", type=int, default=3)
    parser.add_argument("--log")
    parser.add_argument("armpmu")
    parser.add_argument("plugin")
    parser.add_argument("events")
    parser.add_argument("topdown")
    o = parser.parse_args()
    try:
        done, found = run(Path(o.plugin).resolve(), {"events": o.events, "topdown": o.topdown}, o.gic, o.log)
    except boot.BootFailed as failure:
        print(failure)
        return 1
    for command in done.commands:
        print(f"# {command.line} -> {command.status}", *command.output, sep="\n")
    complaints = judge(done, found, o.armpmu, o.topdown)
    print(f"{done.seconds:.0f} s, {len(found)} marks", *complaints, sep="\n")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
