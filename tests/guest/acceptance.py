"""A Linux guest sees the monitor of a Cortex-A8: the kernel, its perf_event_open, and perf.

usage: acceptance.py [--plugin FILE] [--machine virt|cubieboard] [--perf] [--icount N] [--expect-no-plugin]
                     ARMPMU PROGRAM...

PROGRAM: those of programs/, compiled for Arm. --expect-no-plugin turns the test round: without a plugin each
check of counts must fail, and say that the plugin is missing. The rest as for boot.py.
"""

import argparse
import json
import subprocess
import sys

import boot
import judge

PERF_STAT = "perf stat -x, -e r08,r0d,cycles hot"
PERF_EVERY = "perf stat -x, -e {} hot 20"  # long enough for each to have its turn
PERF_RECORD = "perf record -q -e r08 -c 20011 -o /tmp/perf.data hot"
PERF_REPORT = "perf report --stdio -q --sort symbol -i /tmp/perf.data"

# Of the program hot: two instructions a turn, one of them a branch.
HOT_TURNS = 100 * 20000
HOT_LEAST = {"r08": 2 * HOT_TURNS, "r0d": HOT_TURNS, "cycles": HOT_TURNS}


def catalogue(armpmu):
    said = subprocess.run([armpmu, "list", "event", "--core", "cortex-a8", "--json"], text=True,
                          check=True, stdout=subprocess.PIPE).stdout
    return [judge.Event(int(event["EventCode"], 0), event["EventName"], event["Fidelity"])
            for event in map(json.loads, said.splitlines())]


def perf_counts(lines):
    """perf's own table by event: value, unit, event, ...; a value that is no number says why."""
    rows = [line.split(",") for line in lines]
    return {row[2]: row[0] for row in rows if len(row) > 3}


def perf_stat(lines):
    counts = perf_counts(lines)
    if counts.get("r08") == "0":
        return [f"perf stat: {judge.NO_PLUGIN}"]
    return [f"perf stat: {event} is {counts.get(event)}, at least {least} by arithmetic"
            for event, least in HOT_LEAST.items()
            if not counts.get(event, "").isdigit() or int(counts[event]) < least]


def perf_every(events, lines):
    """Every event of the catalogue is a number to perf, not a reason."""
    counts = perf_counts(lines)
    return [f"perf stat: r{event.number:02x} is {counts.get(f'r{event.number:02x}')}"
            for event in events if not counts.get(f"r{event.number:02x}", "").isdigit()]


def perf_report(lines):
    if any("has no samples" in line for line in lines):
        return [f"perf report: {judge.NO_PLUGIN}"]
    hottest = next((line for line in lines if "%" in line), "")
    return [] if "work_hot" in hottest else [
        f"perf report names '{hottest.strip()}' first, work_hot does nine tenths of the work"]


def checks(events, has_interrupt, with_perf):
    """Command line of the guest, and who judges its output."""
    numbers = " ".join(f"{event.number:02x}" for event in events)
    parsed = lambda judged: lambda lines: judge.failures(judge.parse(lines)) + \
        judged(judge.parse(lines))
    yield "dmesg | grep perfevents", judge.kernel
    yield "counts", parsed(judge.counts)
    yield f"every_event {numbers}", parsed(lambda records: judge.every_event(records, events))
    yield "user_access", parsed(judge.user_access)
    yield "multiplex", parsed(judge.multiplex)
    if has_interrupt:
        yield "samples", parsed(judge.samples)
    if with_perf:
        names = ",".join(f"r{event.number:02x}" for event in events)
        yield f"{PERF_STAT} 2>&1", perf_stat
        yield f"{PERF_EVERY.format(names)} 2>&1", lambda lines: perf_every(events, lines)
        if has_interrupt:
            yield f"{PERF_RECORD} && {PERF_REPORT} 2>&1", perf_report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--machine", choices=boot.BOARDS, default="virt")
    parser.add_argument("--perf", action="store_true")
    parser.add_argument("--icount", type=int)
    parser.add_argument("--expect-no-plugin", action="store_true")
    parser.add_argument("--seconds", type=float, default=3000)
    parser.add_argument("--log")
    parser.add_argument("armpmu")
    parser.add_argument("programs", nargs="+")
    o = parser.parse_args()

    wanted = list(checks(catalogue(o.armpmu), boot.BOARDS[o.machine].armpmu_dtb is not None,
                         o.perf))
    try:
        booted = boot.run([line for line, _ in wanted], o.machine, o.armpmu, o.plugin, o.programs,
                          o.perf, o.icount, o.seconds, o.log)
    except boot.BootFailed as failure:
        print(failure)
        return 1
    wrong = silent = 0
    for command, (line, judged) in zip(booted.commands, wanted):
        complaints = judged(command.output)
        silent += any(judge.NO_PLUGIN in complaint for complaint in complaints)
        wrong += bool(complaints)
        print(f"{line[:60]}: {'; '.join(complaints) or 'right'}")
    print(f"{o.machine}: {len(wanted)} checks, {wrong} wrong; init after "
          f"{booted.init_seconds:.2f} s of the guest, {booted.seconds:.1f} s in all")
    if o.expect_no_plugin:
        return 0 if silent >= 3 else 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
