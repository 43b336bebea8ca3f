"""Measures the time of a command."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass


@dataclass
class Took:
    wall: float
    cpu: float  # seconds of all its processes together
    peak: int   # KB of resident memory: the most that it, or one of those it waited for, had
    said: str   # on standard error


def timed(command, environment=None):
    """Runs a command that must succeed."""
    command = [str(word) for word in command]
    with tempfile.TemporaryFile() as said:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=said, env=environment)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode(errors="replace")
    if process.returncode != 0:
        sys.exit(f"bench: {' '.join(command)}: exit status {process.returncode}\n{text}")
    return Took(wall, used.ru_utime + used.ru_stime, used.ru_maxrss, text)
