"""Runs the command armpmu, and returns what it counted."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from armpmu.profile import Profile
from armpmu.reports import load

STATUS_OF_ARMPMU = 125


class Failed(Exception):
    """armpmu did not count. The message is armpmu's own; status is its exit status."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


def find():
    """The command: $ARMPMU, else armpmu in PATH."""
    found = os.environ.get("ARMPMU") or shutil.which("armpmu")
    if not found:
        raise Failed("armpmu is not in PATH: install it, or name it in the variable ARMPMU", None)
    return found


def options_of(machine, events, metrics, settings, stable):
    """The options that all commands share. settings: a value for each key, of a sweep a list of values."""
    words = ["--stable"] if stable else []
    for option, value in (("--machine", machine), ("-e", events), ("-M", metrics)):
        if value:
            words += [option, value if isinstance(value, str) else ",".join(value)]
    for key, value in (settings or {}).items():
        values = [value] if isinstance(value, (str, int)) else value
        words += ["--set", f"{key}={','.join(map(str, values))}"]
    return words


def run(command, options, program, output, inputs):
    """Runs a command of armpmu with a program. Its own streams are the caller's but for what armpmu says itself."""
    program = [program] if isinstance(program, (str, Path)) else list(program)
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said:
        words = [find(), command, *options, "-o", str(output), "--", *map(str, program)]
        status = subprocess.run(words, check=False, stdin=inputs, stderr=said).returncode
        said.seek(0)
        lines = said.read().splitlines()
    if not Path(output).exists() or (status == STATUS_OF_ARMPMU and any(line.startswith("armpmu:") for line in lines)):
        own = [line for line in lines if line.startswith("armpmu:")]
        raise Failed("\n".join(own or lines[-1:]) or f"armpmu {command} ended with status {status}", status)


def into_file(command, options, program, inputs):
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "counts.json"
        run(command, options, program, output, inputs)
        return load(output)


def stat(program, machine=None, events=None, metrics=None, settings=None, stable=True, inputs=subprocess.DEVNULL):
    """Counts a run of a program, as armpmu stat does, and returns a Report.

    program: a path, or a list of a path and arguments. events, metrics: a list, or text as -e and -M take it. settings:
    keys of the machine with their values. stable: whether the program's surroundings are fixed. A program that fails is
    counted all the same: Report.exit_status. Raises Failed.
    """
    return into_file("stat", ["--json=1", *options_of(machine, events, metrics, settings, stable)], program, inputs)


def sweep(program, machine=None, events=None, metrics=None, settings=None, stable=True, inputs=subprocess.DEVNULL):
    """Counts one run of a program on several machines, as armpmu sweep does, and returns a Sweep.

    machine: a name, or a list of names. settings: a list of values for each key; every combination is counted.
    """
    return into_file("sweep", ["--json=1", *options_of(machine, events, metrics, settings, stable)], program, inputs)


def record(program, output=None, machine=None, events=None, settings=None, stable=True, paths=False, inputs=subprocess.DEVNULL):
    """Profiles a run of a program, as armpmu record does, and returns a Profile.

    output: the file that is written; without, a temporary one that goes with the Profile. paths: by call path (-g).
    """
    temporary = None if output else tempfile.TemporaryDirectory()
    target = output or Path(temporary.name) / "armpmu.data"
    options = ["-q", *(["-g"] if paths else []), *options_of(machine, events, None, settings, stable)]
    try:
        run("record", options, program, target, inputs)
        return Profile(target, temporary)
    except BaseException:
        if temporary is not None:
            temporary.cleanup()
        raise
