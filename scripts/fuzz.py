#!/usr/bin/env python3
"""Runs the fuzz targets of a fuzz build and closes with a line for each.

Every target starts from what earlier runs found, $BUILD-fuzz/corpus/NAME, from fuzz/corpus/NAME and
from fuzz/crashes/NAME. A crash ends the target's run; its input is minimised, and the command that
replays it is printed. Exit status: 0, 1 after a crash, 2 for usage, 130 after Ctrl-C.
"""

import argparse
import base64
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from pathlib import Path

MINUTES = 10
MINIMISE_SECONDS = 60
KEPT_BYTES = 200_000  # of a target's corpus in the repository
INPUT_SECONDS = 20  # an input that takes longer is a hang
MEGABYTES = 2048
INTERRUPTED = 72  # libFuzzer's exit status after SIGINT
CI_SEED = 1  # the same inputs each time: a commit fails because of what it changed
SANITIZERS = {
    "ASAN_OPTIONS": "detect_leaks=1:allocator_may_return_null=1:allow_addr2line=1",
    "UBSAN_OPTIONS": "print_stacktrace=1:allow_addr2line=1"}

# ci_seconds: how long continuous integration runs it; options: libFuzzer's
Target = namedtuple("Target", "name max_len ci_seconds options")
# crash: the minimised input, or None; end: what else went wrong, or ""
Result = namedtuple("Result", "target executions speed coverage crash end")


def read_targets(build):
    for line in (build / "fuzz/targets").read_text(encoding="ascii").splitlines():
        name, max_len, ci_seconds, *options = line.split()
        yield Target(name, int(max_len), int(ci_seconds), options)


def choose(targets, names):
    known = {target.name: target for target in targets}
    for name in names:
        if name not in known:
            sys.exit(f"scripts/fuzz: no target '{name}'; there are {', '.join(known)}")
    return [known[name] for name in names] if names else targets


def positive(text):
    number = float(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"{text}: must be above 0")
    return number


def last_number(pattern, log):
    numbers = re.findall(pattern, log)
    return int(numbers[-1]) if numbers else 0


class Fuzzer:
    """One target of a build folder."""

    def __init__(self, build, target):
        self.target = target
        self.program = build / "fuzz" / f"fuzz-{target.name}"
        self.corpus = build / "corpus" / target.name
        self.crashes = build / "crashes" / target.name
        self.log = build / "crashes" / f"{target.name}.log"
        self.seeds = [folder for folder in (Path("fuzz/corpus", target.name),
                                            Path("fuzz/crashes", target.name)) if folder.is_dir()]
        for folder in (self.corpus, self.crashes):
            folder.mkdir(parents=True, exist_ok=True)

    def libfuzzer(self, *arguments):
        """Runs it to its end; returns the exit status and what it printed."""
        command = [str(self.program), f"-max_len={self.target.max_len}", f"-timeout={INPUT_SECONDS}",
                   f"-rss_limit_mb={MEGABYTES}", *self.target.options, *map(str, arguments)]
        with open(self.log, "wb") as log:
            status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=log, check=False,
                                    env={**os.environ, **SANITIZERS}).returncode
        return status, self.log.read_text(encoding="utf-8", errors="replace")

    def fuzz(self, bounds):
        old = set(self.crashes.iterdir())
        start = time.monotonic()
        status, log = self.libfuzzer(*bounds, "-print_final_stats=1",
                                     f"-artifact_prefix={self.crashes}/", self.corpus, *self.seeds)
        found = [path for path in self.crashes.iterdir() if path not in old]
        executions = max(last_number(r"stat::number_of_executed_units:\s*(\d+)", log),
                         last_number(r"^#(\d+)\s(?m:)", log))
        speed = int(executions / (time.monotonic() - start))
        coverage = last_number(r"cov: (\d+)", log)
        kept = self.crashes / "last.log"
        crash = self.minimise(found[0]) if found else None
        end = "" if status in (0, INTERRUPTED) or found else f"ended with status {status}, see {kept}"
        if status != 0:
            kept.write_text(log, encoding="utf-8")
        return Result(self.target, executions, speed, coverage, crash, end)

    def minimise(self, path):
        """The smallest input that crashes as well: only real crashes shrink, hangs take too long."""
        small = path.with_name(path.name + ".min")
        if path.name.startswith(("crash-", "leak-")):
            self.libfuzzer("-minimize_crash=1", f"-max_total_time={MINIMISE_SECONDS}",
                           f"-exact_artifact_path={small}", path)
        return small if small.exists() else path

    def keep(self):
        """Puts the smallest inputs that cover what all inputs cover into the repository."""
        home = Path("fuzz/corpus", self.target.name)
        with tempfile.TemporaryDirectory() as folder:
            status, log = self.libfuzzer("-merge=1", "-set_cover_merge=1", "-use_counters=0", folder,
                                         *self.seeds, self.corpus)
            if status != 0:
                sys.exit(f"scripts/fuzz: {self.target.name}: merging failed\n{log[-2000:]}")
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            size = 0
            for path in sorted(Path(folder).iterdir(), key=lambda path: path.stat().st_size):
                size += path.stat().st_size
                if size > KEPT_BYTES:
                    break
                shutil.copyfile(path, home / path.name)
        print(f"{self.target.name}: {len(list(home.iterdir()))} inputs in {home}")


def describe(result):
    crashes = 1 if result.crash or result.end else 0
    line = (f"{result.target.name:<14}{result.executions:>12,} executions{result.speed:>9,}/s"
            f"  coverage {result.coverage:>6,}  crashes {crashes}")
    if result.crash:
        line += f"\n    input   {result.crash}\n    log     {result.crash.parent / 'last.log'}"
    if result.end:
        line += f"\n    {result.end}"
    return line


def replay_command(build, result):
    return f"    replay  {build}/fuzz/fuzz-{result.target.name} {result.crash}"


def crash_in_full(result):
    """The sanitizer's report and the input: of a machine of CI nothing else is kept."""
    log = (result.crash.parent / "last.log").read_text(encoding="utf-8", errors="replace")
    report = [line for line in log.splitlines() if not line.startswith("#")]  # libFuzzer's progress
    return "\n".join([*report[-60:], f"base64 of {result.crash}:",
                      base64.b64encode(result.crash.read_bytes()).decode("ascii")])


def run_all(build, targets, bounds_of, jobs):
    """Results in order of the targets; after Ctrl-C, which ends those that run, of the ones begun."""
    interrupted = False
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(Fuzzer(build, target).fuzz, bounds_of(target)) for target in targets]
        try:
            for run in concurrent.futures.as_completed(runs):
                print(f"scripts/fuzz: {run.result().target.name} is done", flush=True)
        except KeyboardInterrupt:
            interrupted = True
            pool.shutdown(cancel_futures=True)
    return [run.result() for run in runs if not run.cancelled()], interrupted


def report(build, results, is_ci):
    failed = 0
    for result in results:
        print(describe(result))
        if result.crash:
            print(replay_command(build, result))
        if result.crash and is_ci:
            print(crash_in_full(result))
        failed += bool(result.crash or result.end or not result.executions)
    return failed


def main(arguments):
    parser = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--target", action="append", default=[], help="only this one; may be repeated")
    parser.add_argument("--minutes", type=positive, help=f"of each target (default {MINUTES})")
    parser.add_argument("--runs", type=int, help="executions of each target, in place of a time")
    parser.add_argument("--ci", action="store_true",
                        help="up to 8 seconds of each from one seed, two at a time; prints the input of "
                             "a crash; closes with N passed, ...")
    parser.add_argument("--keep", action="store_true",
                        help="fuzzes nothing: minimises what was found into fuzz/corpus")
    given = parser.parse_args(arguments)
    targets = choose(list(read_targets(given.build)), given.target)
    if given.keep:
        for target in targets:
            Fuzzer(given.build, target).keep()
        return 0

    def bounds(target):
        seconds = target.ci_seconds if given.ci and not given.minutes else 60 * (given.minutes or MINUTES)
        if not given.runs:
            seed = [f"-seed={CI_SEED}"] if given.ci else []
            return [f"-max_total_time={int(max(seconds, 1))}", *seed]
        return [f"-runs={given.runs}"] + ([f"-max_total_time={int(seconds)}"] if given.minutes else [])

    jobs = min(2, os.cpu_count() or 1) if given.ci else 1
    results, interrupted = run_all(given.build, targets, bounds, jobs)
    failed = report(given.build, results, given.ci)
    if given.ci:
        print(f"{len(results) - failed} passed, {failed} failed, 0 skipped")
    return 130 if interrupted else int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
