"""QEMU 11 for tests, as scripts/with-qemu11 provides it. A test is skipped (77) where there is none and none can be
fetched; the script says why. BUILD is where it keeps the QEMU that it fetched."""

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "with-qemu11"


def run(*words, timeout=None, stdin=subprocess.DEVNULL):
    """The command with QEMU 11 first in its PATH: its status, standard output and standard error."""
    done = subprocess.run([SCRIPT, *words], stdin=stdin, capture_output=True, text=True, timeout=timeout,
                          check=False)
    if done.returncode == 125 and "scripts/with-qemu11:" in done.stderr:
        print(done.stderr, end="")
        sys.exit(77)
    return done


def path():
    """PATH with QEMU 11 first."""
    return run("sh", "-c", 'echo "$PATH"').stdout.strip()
