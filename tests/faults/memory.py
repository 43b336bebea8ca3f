"""Every request of a command for memory fails once, and so do all from then on.

usage: memory.py [--all] LIBRARY ARMPMU KNOWN FIRMWARE PROGRAM MACHINES [PART/PARTS]

LIBRARY: fail_memory.c. The others as outputs.py has them. --all: each request; without it a sample, a larger one with
ARMPMU_TEST_LONG set.

Either the command does what it does with all memory, or it ends with 125, a sentence that has "memory" in it, and
a report's file as it was or with the counts so far, marked as such.
"""

import contextlib
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from outputs import CUT, OLD, Tools, cases

SAMPLE = 6 if "ARMPMU_TEST_LONG" in os.environ else 3

failures = []
n_runs = 0


class Run:
    def __init__(self, tools, words, files, n, rest):
        global n_runs
        n_runs += 1
        with tempfile.TemporaryDirectory(prefix="armpmu-faults-") as name:
            base = Path(name)
            folder = base / "folder"
            folder.mkdir()
            (folder / "tree.dtb").write_bytes(tools.tree)
            for file in files:
                if file != "tree.dtb":
                    (folder / file).write_bytes(OLD)
            # The program's stack moves with the length of a variable, and its counts with that.
            environment = {**os.environ, "ARMPMU_MACHINE_PATH": tools.machines, "LD_PRELOAD": tools.breaker,
                           "FAULT_PROGRAM": Path(words[0]).name, "FAULT_N": f"{n:08}",
                           "FAULT_REST": "1" if rest else "0", "FAULT_REPORT": str(base / "report")}
            try:
                run = subprocess.run(words, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL,
                                     timeout=600, check=False, env=environment)
                self.status, self.out, self.err = run.returncode, run.stdout, run.stderr
            except subprocess.TimeoutExpired:
                self.status, self.out, self.err = "hangs", b"", b""
            self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
            report = base / "report"
            self.n = int(report.read_text()) if report.exists() else 0


def counts(text):
    """Without the hot spot: libdw leaves out what it has no memory for, and says nothing. And without what GnuTLS,
    which Debian 13's libdw brings, says while it is loaded."""
    return re.sub(rb"Error in GnuTLS initialization: .*\n", b"", text).partition(b" Hot spot: ")[0]


def result(run):
    return run.status, run.out, counts(run.err), {name: counts(text) for name, text in run.files.items()}


def is_marked(text):
    """Whether a report, or a profile, says that it does not reach the end of the run."""
    if not text.startswith(b"SQLite"):
        return any(mark in text for mark in CUT)
    with tempfile.NamedTemporaryFile() as file:
        file.write(text)
        file.flush()
        with contextlib.closing(sqlite3.connect(file.name)) as database:
            return database.execute("SELECT value FROM meta WHERE key = 'is_complete'").fetchone() == (0,)


def is_begun(run, whole, part):
    """Whether it has the first intervals of a run, which are written as they come, and the message says so."""
    return whole.startswith(part) and b"it is not complete" in run.err


def problem(whole, run, files):
    if result(run) == result(whole):
        return None
    if run.status != 125:
        return f"status {run.status}: {run.err[-200:]}"
    if b"memory" not in run.err:
        return f"said {run.err[-200:]}"
    if set(run.files) != set(whole.files):
        return f"files {sorted(run.files)}"
    for name, kind in files.items():
        if kind == "whole" and run.files[name] not in (whole.old[name], whole.files[name]) and (
                not is_marked(run.files[name]) and not is_begun(run, whole.files[name], run.files[name])):
            return f"{name} is neither as it was nor what it should be"
    return None


def judge(tools, words, files, every):
    whole = Run(tools, words, files, 0, False)
    whole.old = {name: tools.tree if name == "tree.dtb" else OLD for name in files}
    if whole.status not in (0, 124) or whole.n == 0:
        failures.append(f"{words}: status {whole.status}, {whole.n} requests: {whole.err[-300:]}")
        return 0
    numbers = range(1, whole.n + 1)
    if not every and whole.n > SAMPLE:
        # Another sample of each command.
        numbers = sorted({1 + (i * whole.n // SAMPLE + n_runs * 7) % whole.n for i in range(SAMPLE)})
    for n in numbers:
        for rest in (False, True) if every else (n % 2 == 0,):
            run = Run(tools, words, files, n, rest)
            wrong = problem(whole, run, files)
            if wrong is not None:
                failures.append(f"{' '.join(map(str, words[1:]))}: request {n} of {whole.n}"
                                f"{' and all after it' if rest else ''}: {wrong}")
    return whole.n


def main(words):
    every = "--all" in words
    tools = Tools([word for word in words if word != "--all"])
    n_cases = n_requests = 0
    for i, (command, files) in enumerate(cases(tools)):
        if i % tools.parts != tools.part or (command[1] == "dtb" and not tools.tree):
            continue
        n_cases += 1
        n_requests += judge(tools, command, files, every)
        if every:
            print(command[1:], n_requests, n_runs, len(failures), flush=True)
    print(f"{n_cases} commands, {n_requests} requests, {n_runs} runs, {len(failures)} wrong")
    for failure in failures:
        print("WRONG", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
