"""Measures armpmu replay --jobs, which counts a trace in slices by several processes.

Processor time of each thread alone, so that neither load nor few processors matter: a time is the greatest of a thread
with what its process's parent took before, as thread_times.c has it. The counts must be the same.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from programs import CORES, ROOT, compile_programs, compiled_commands

CORE = "neoverse-v1"
JOBS = 1, 2, 4, 8


def longest(preload, report, command):
    """Seconds until the thread ends that ends last."""
    with tempfile.TemporaryFile() as times:
        subprocess.run(["sh", "-c", f'exec 9>&{times.fileno()}; LD_PRELOAD="$0" exec "$@"', preload, *command, "-o",
                        report], check=True, pass_fds=[times.fileno()])
        times.seek(0)
        return max(float(line) for line in times.read().split())


def measure_program(build, preload, command, rounds, folder):
    """Seconds for each of JOBS."""
    trace, counts = folder / "trace", {}
    subprocess.run([build / "armpmu", "record", "--trace", trace, "--machine", CORES[CORE][3], "--", *command],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds = {}
    for jobs in JOBS * rounds:
        report = folder / "report"
        took = longest(preload, report, [build / "armpmu", "replay", "-j", "-e", "all", "--jobs", str(jobs), trace])
        seconds.setdefault(jobs, []).append(took)
        if counts.setdefault("all", report.read_text(encoding="utf-8")) != report.read_text(encoding="utf-8"):
            sys.exit(f"bench/slices: {command[0].name}: {jobs} processes counted differently")
    return {jobs: statistics.median(took) for jobs, took in seconds.items()}


def measure(build, rounds):
    """The rows of the table."""
    rows = [[CORE, "one", *(f"{jobs} processes" for jobs in JOBS[1:])]]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compile_programs(CORE, folder)
        preload = folder / "thread_times.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", ROOT / "bench/thread_times.c", "-o", preload], check=True)
        for program, command in compiled_commands(folder).items():
            print(f"slices, {program}", file=sys.stderr)
            seconds = measure_program(build, preload, command, rounds, folder)
            rows.append([program, f"{seconds[1]:.2f} s", *(f"{seconds[jobs] / seconds[1]:.2f}" for jobs in JOBS[1:])])
    return rows
