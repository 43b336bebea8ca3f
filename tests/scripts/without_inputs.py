"""Tests fail when what they test is not there.

usage: without_inputs.py BUILD [TEST]...

Runs tests of this build again, each once for every program, file and folder that its command or its environment
names, with that one broken: it is a program that says so and fails, or there is no such file. With ARMPMU_TEST_LONG
set each is broken both ways; a folder is empty then. A test must fail then or be skipped. So must, without a program, each of its cases that is not in MAY_PASS: two
runs that fail in the same way are not two runs that count the same.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LONG = "ARMPMU_TEST_LONG" in os.environ

# Cases that rest on none of these inputs, or that are about wrong ones.
MAY_PASS = {
    "armpmu list": {"test_a_page_that_cannot_be_printed_stays"},
    "armpmu regs": {"test_no_golden_file_is_left_over"},
    "cli guest": {"bad_programs_are_told_apart", "a_qemu_for_other_programs_is_refused",
                  "a_machine_with_keys_of_another_core_is_refused"},
    "launch": {"test_missing", "test_no_elf", "test_not_executable", "test_out_of_reach"},
}

# Inputs whose absence changes nothing, by test: the build has the shipped machines at hand, too.
UNUSED = {
    "launch": {"count-insns.so", "records"},
    "cli guest": {"machines"},
    "cli reports": {"machines"},
    "cli usage": {"machines"},
}

# One of each script: the others of it differ in the program only.
TESTS = [
    "includes follow the arrows", "names and words", "choices are marked and explained",
    "public headers stand alone", "layout", "armpmu list", "armpmu regs", "cli reports", "cli usage", "cli dtb",
    "cli guest", "cli check", "recorder", "launch", "forms as the assembler has them",
    "random words as objdump has them", "a program as objdump has it_ arm",
    "programs and libraries as the reference has them", "A64 programs as objdump has them",
    "registers as execution shows them", "A64 registers as execution shows them", "cortex_r4f programs",
]

# Runs a script of tests and prints the name of each unittest case that passes.
RUNNER = r"""
import os, runpy, sys, unittest
def passed(self, test):
    print("\nok", test.id().split(".")[-1], flush=True)
unittest.TextTestResult.addSuccess = passed
sys.argv = sys.argv[1:]
sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
"""
# Where only the whole must fail, the first case that does is enough.
UNTIL_ONE_FAILS = r"""
import unittest
def run(self, test, run=unittest.TextTestRunner.run):
    self.failfast = True
    return run(self, test)
unittest.TextTestRunner.run = run
""" + RUNNER
PASSED = re.compile(r"^ok (\w+)$", re.MULTILINE)


class Broken:
    """Things to put in the place of an input."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def missing(self, path):
        return str(self.folder / "missing" / Path(path).name)

    def failing(self, path):
        """Of the same name: some tests know their inputs by it."""
        place = Path(tempfile.mkdtemp(dir=self.folder)) / Path(path).name
        if os.path.isdir(path):
            place.mkdir()
        else:
            place.write_text("#!/bin/sh\necho 'armpmu: this is broken' >&2\nexit 125\n", encoding="ascii")
            place.chmod(0o755)
        return str(place)


def is_input(word, folder):
    return "/" in word and os.path.exists(os.path.join(folder, word))


def inputs_of(words, folder):
    """Their indices; of several files of one kind in one folder the first."""
    seen = set()
    for n, word in enumerate(words):
        kind = (os.path.dirname(word), os.path.splitext(word)[1])
        if is_input(word, folder) and (kind not in seen or not kind[1]):
            seen.add(kind)
            yield n


def without(test, way, folder):
    """(what is broken, command, environment) for each input of a test; of a variable all its paths."""
    command, environment = test["cmd"], test["env"]
    first = 1 + next((n for n, word in enumerate(command) if word.endswith(".py")), 0)
    words = command[first:]

    def begin(path):
        runner = RUNNER if is_program(path) else UNTIL_ONE_FAILS
        return [command[0], "-B", "-c", runner, command[first - 1]] if first > 1 else command[:1]
    for n in inputs_of(words, folder):
        path = os.path.join(folder, words[n])
        yield path, begin(path) + words[:n] + [way(path)] + words[n + 1:], environment
    for name, value in environment.items():
        paths = value.split(":")
        if name != "LD_LIBRARY_PATH" and is_input(paths[0], folder):
            yield paths[0], begin(paths[0]) + words, {**environment, name: ":".join(map(way, paths))}


def is_program(path):
    return os.path.isfile(path) and os.access(path, os.X_OK) and not path.endswith(".so")


def complaints(test, way, build):
    folder = test["workdir"] or build
    for path, command, environment in without(test, way, folder):
        name = Path(path).resolve().name
        if name in UNUSED.get(test["name"], ()) or not (LONG or is_program(path) == (way.__name__ == "failing")):
            continue
        done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, text=True,
                              errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=10 * test["timeout"], check=False)
        passed = set(PASSED.findall(done.stdout)) - MAY_PASS.get(test["name"], set())
        if done.returncode == 0:
            yield f"{test['name']}: passes with {name} {way.__name__}"
        elif passed and is_program(path):
            yield f"{test['name']}: with {name} {way.__name__} these cases pass: {', '.join(sorted(passed))}"


def main(build, *chosen):
    build = os.path.abspath(build)
    tests = json.loads(Path(build, "meson-info/intro-tests.json").read_text(encoding="utf-8"))
    tests = {test["name"]: test for test in tests}
    wanted = chosen or [name for name in TESTS if name in tests]
    n = 0
    folder = tempfile.mkdtemp(prefix="armpmu-")
    try:
        for name in wanted:
            broken = Broken(folder)
            for complaint in (*complaints(tests[name], broken.missing, build),
                              *complaints(tests[name], broken.failing, build)):
                print(complaint, flush=True)
                n += 1
    finally:
        shutil.rmtree(folder)
    print(f"{len(wanted)} tests without each of their inputs, {n} complaints")
    return 1 if n or len(wanted) < len(chosen or TESTS) // 2 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
