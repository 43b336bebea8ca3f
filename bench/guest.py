"""Measures what a guest's performance monitor costs, for bench/run.

Debian's kernel boots on QEMU's virt machine, runs commands and switches off, with

    plain    QEMU 11 by itself
    empty    a plugin of the recorder's shape that does nothing
    armpmu   the live performance monitor and every event
    cache    QEMU's own cache plugin, where it could be built: L1I, L1D, L2

"boot" has nothing to do but to boot; "programs" is what a guest takes longer when it runs some.
Ratios of wall time are what a user waits; armpmu uses two processors, which the ratios of processor time
show.
"""

import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guest"))
import boot  # noqa: E402  pylint: disable=wrong-import-position

TIMES_PLAIN_AT_MOST = 4.0  # of a boot

PROGRAMS = [
    "for i in 1 2 3 4; do busybox sha256sum /bin/busybox; done",
    "busybox gzip -c /bin/busybox | busybox wc -c",
    "busybox tr -c a-z '\\n' </bin/busybox | busybox head -n 200000 | busybox sort | busybox tail -n 1",
    "i=0; while [ $i -lt 100 ]; do busybox true; i=$((i + 1)); done",
]


def contenders(build, cache_options):
    """Name and -plugin option of each; arguments that are named are all there are."""
    found = {"plain": None, "empty": f"{build}/bench/empty.so,guest=on",
             "armpmu": f"{build}/armpmu-qemu.so,machine=cortex-a8,{boot.BOARDS['virt'].irq},"
                       "report=/dev/null"}
    cache = build / "bench/qemu11/cache.so"
    if cache.exists():
        found["cache"] = f"{cache},{cache_options}"
    return found


def one_round(found, build):
    """(wall seconds, processor seconds) of a boot, and of the programs, for each contender."""
    times = {}
    for name, plugin in found.items():
        runs = [boot.run(commands, armpmu=build / "armpmu", plugin=plugin, seconds=900)
                for commands in (["true"], PROGRAMS)]
        idle, busy = [(run.seconds, run.processor_seconds) for run in runs]
        times[name] = {"boot": idle, "programs": (busy[0] - idle[0], busy[1] - idle[1])}
    return times


def median(rounds, work, name, kind, of=None):
    """Of seconds, or of their ratios to those of another contender within a round."""
    return statistics.median(times[name][work][kind] / (times[of][work][kind] if of else 1)
                             for times in rounds)


def table_of(rounds):
    """Rows of cells, the first row the heading."""
    names = list(rounds[0])
    rows = [["guest", "time", "plain", *names[1:]]]
    for work in ("boot", "programs"):
        for kind, what in enumerate(("wall", "processor")):
            rows.append([work, what, f"{median(rounds, work, 'plain', kind):.2f} s",
                         *(f"{median(rounds, work, name, kind, 'plain'):.2f} x"
                           for name in names[1:])])
    return rows + [["goal of a boot", "wall", "", *(f"<= {TIMES_PLAIN_AT_MOST:.1f} x"
                                                    if name == "armpmu" else ""
                                                    for name in names[1:])]]


def measure(build, rounds, cache_options):
    """Rounds, every contender once a round."""
    found = contenders(build, cache_options)
    measured = []
    for number in range(rounds):
        print(f"round {number + 1} of {rounds}: guest", file=sys.stderr)
        measured.append(one_round(found, build))
    return table_of(measured)


def version():
    """Of the QEMU that runs the guests."""
    return boot.subprocess.run(boot.with_qemu("qemu-system-arm", "--version"), text=True,
                               stdout=boot.subprocess.PIPE,
                               check=True).stdout.partition("\n")[0]
