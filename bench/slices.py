"""What a trace takes that several processes count in slices: armpmu replay --jobs.

Processor time of each thread alone, so that neither load nor few processors matter: a time is the greatest of a thread
with what its process's parent took before, as thread_times.c has it, the smallest of all rounds. The counts must be
the same.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from programs import CORES, ROOT, commands_of, compile_programs

CORE = "neoverse-v1"
JOBS = 1, 2, 4, 8


def longest(preload, report, command):
    """Seconds of the thread that ends last, and of all."""
    with tempfile.TemporaryFile() as times:
        subprocess.run(["sh", "-c", f'exec 9>&{times.fileno()}; LD_PRELOAD="$0" exec "$@"', preload, *command, "-o",
                        report], check=True, pass_fds=[times.fileno()])
        times.seek(0)
        seconds = [float(line) for line in times.read().split()]
    return max(seconds)


def measure_program(build, preload, command, rounds, folder):
    """Seconds for each of JOBS."""
    trace, counts = folder / "trace", {}
    subprocess.run([build / "armpmu", "record", "--trace", trace, "--machine", CORES[CORE][3], "--", *command], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    best = {}
    for jobs in JOBS * rounds:
        report = folder / "report"
        took = longest(preload, report, [build / "armpmu", "replay", "-j", "-e", "all", "--jobs", str(jobs), trace])
        best[jobs] = min(took, best.get(jobs, took))
        if counts.setdefault("all", report.read_text(encoding="utf-8")) != report.read_text(encoding="utf-8"):
            sys.exit(f"bench/slices: {command[0].name}: {jobs} processes counted differently")
    return best


def measure(build, rounds):
    """The rows of the table."""
    rows = [[CORE, "one", *(f"{jobs} processes" for jobs in JOBS[1:])]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_programs(CORE, folder)
        preload = folder / "thread_times.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", ROOT / "bench/thread_times.c", "-o", preload], check=True)
        for program, command in commands_of(CORE, build, folder).items():
            print(f"slices, {program}", file=sys.stderr)
            best = measure_program(build, preload, command, rounds, folder)
            rows.append([program, f"{best[1]:.2f} s", *(f"{best[jobs] / best[1]:.2f}" for jobs in JOBS[1:])])
    return rows
