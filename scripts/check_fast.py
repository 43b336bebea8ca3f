"""Chooses the tests of make check-fast and runs them.

usage: check_fast.py BUILD [REVISION]

Those of ALWAYS, and of the suites that have to do with the files that differ from REVISION (HEAD) as many as SECONDS
allow, the shortest first: by the last log of scripts/test in BUILD, else by the limits of the tests. What is left out is
named. Exit status: that of meson test.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 20  # of all processors
LIMIT_TO_SECONDS = 15  # a test without a log is taken to last this part of its limit

# Form, words, includes and figures of the sources; pages that the program writes.
ALWAYS = ("architecture", {"armpmu list", "cli manual page", "cli completion"})
# Suites besides that of its own name that look at a folder.
ALSO = {
    "check": ("directed",), "docs": ("scripts",), "include": ("library", "pmu"), "machines": ("machine", "cli"),
    "src/catalog": ("pmu",), "src/cores": ("directed",), "src/cosim": ("qemu", "unicorn"), "src/export": ("cli",),
    "src/machine": ("cores",), "src/parts": ("cores",), "src/pmu": ("library",), "src/profile": ("record", "cli"),
    "src/qemu": ("record", "signals"), "src/trace": ("cli",), "src/unicorn": ("firmware",), "tests/reference": ("cores", "pmu"),
}


def git(*words):
    done = subprocess.run(["git", *words], cwd=ROOT, text=True, check=True, stdout=subprocess.PIPE)
    return done.stdout.splitlines()


def suites_of(paths):
    """The suites that look at these files."""
    found = set()
    for path in paths:
        first, _, rest = path.partition("/")
        folder = f"{first}/{rest.split('/')[0]}" if first in ("src", "tests") and "/" in rest else first
        found |= {folder.rpartition("/")[2], *ALSO.get(folder, ())}
    return found


def is_in(test, suites):
    return any(suite.rpartition(":")[2] in suites for suite in test["suite"])


def choose(tests, suites, durations, seconds):
    """(those to run, those left out), by name."""
    always = [test["name"] for test in tests if is_in(test, {ALWAYS[0]}) or test["name"] in ALWAYS[1]]
    rest = [test for test in tests if is_in(test, suites) and not is_in(test, {"guest"}) and test["name"] not in always]
    rest = sorted((durations.get(test["name"], test["timeout"] / LIMIT_TO_SECONDS), test["name"]) for test in rest)
    chosen, used = [], 0
    for duration, name in rest:
        used += duration
        if used <= seconds:
            chosen.append(name)
    return always + chosen, [name for _, name in rest[len(chosen):]]


def last_durations(log):
    """Seconds by name; a log's names begin with the suite."""
    if not log.exists():
        return {}
    with open(log, encoding="utf-8") as lines:
        tests = [json.loads(line) for line in lines if line.strip()]
    return {test["name"].partition(" / ")[2] or test["name"]: test["duration"] for test in tests}


def main(build, revision="HEAD"):
    build = Path(build)
    tests = json.loads((build / "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    paths = git("diff", "--name-only", revision) + git("ls-files", "--others", "--exclude-standard")
    durations = last_durations(build / "meson-logs/testlog.json")
    chosen, left = choose(tests, suites_of(paths), durations, SECONDS * (os.cpu_count() or 1))
    done = subprocess.run(["meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs", "--logbase", "check-fast",
                           *chosen], check=False)
    if left:
        print(f"check-fast: {len(left)} longer tests of what changed are left to scripts/test: {'; '.join(left)}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
