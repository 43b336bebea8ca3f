"""Runs `armpmu stat -j` and reads what it counted."""

import json
import os
import subprocess


class CountingFailed(Exception):
    """armpmu or the program did not do what it should."""


class Counter:
    """Counts programs with one armpmu binary.

    scratch: a folder for the outputs. qemu: the emulator, None for the one armpmu finds."""

    def __init__(self, armpmu, scratch, qemu=None):
        self.armpmu = os.path.abspath(armpmu)
        self.scratch = scratch
        self.qemu = qemu

    def run(self, program, machine=None, events="all", per_thread=False, expected_status=0,
            options=()):
        """Counts one run. Returns the list of JSON objects armpmu printed.

        program: a path. The program's own output is thrown away. options: more of armpmu stat's."""
        out = os.path.join(self.scratch, "stat.json")
        command = [self.armpmu, "stat", "-j", "-o", out, "-e", events, *options]
        if machine:
            command += ["--machine", machine]
        if per_thread:
            command.append("--per-thread")
        if self.qemu:
            command += ["--qemu", self.qemu]
        if os.path.exists(out):
            os.unlink(out)
        done = subprocess.run(command + ["--", program], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              check=False)
        if done.returncode != expected_status:
            raise CountingFailed(f"{' '.join(command)} {program}: exit status {done.returncode}, "
                                 f"not {expected_status}: {done.stderr.decode()}")
        with open(out, encoding="utf-8") as file:
            return [json.loads(line) for line in file if '"event"' in line]

    def counts(self, program, **options):
        """Counts one run. Returns event name -> count; None where armpmu shows no count."""
        return {row["event"]: count_of(row) for row in self.run(program, **options)}


def count_of(row):
    """The count of a row, None when it says that there is none."""
    value = row["counter-value"]
    return None if value.startswith("<") else int(value)
