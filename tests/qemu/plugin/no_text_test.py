"""A QEMU without disassembly: where it shows registers, counts are right; where it does not, they are refused.

usage: no_text_test.py ARMPMU PRELOADED DIRECTED PROGRAM

PRELOADED: no_text.c. DIRECTED: the runner of PROGRAM, Thumb code whose words are A32 instructions as well.
Each qemu-arm with plugins in PATH is tried.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ARMPMU, PRELOADED, DIRECTED, PROGRAM = (str(Path(word).resolve()) for word in sys.argv[1:5])


def engines():
    """Each with whether it shows registers."""
    found = {}
    for folder in os.environ["PATH"].split(":"):
        file = Path(folder, "qemu-arm").resolve()
        if file.is_file() and b"qemu_plugin_register_vcpu_tb_trans_cb" in file.read_bytes():
            found[file] = b"qemu_plugin_get_registers" in file.read_bytes()
    return found


def judge(folder, engine, shows_registers):
    wrapper = Path(folder, "qemu-arm")
    wrapper.write_text(f'#!/bin/sh\nLD_PRELOAD={PRELOADED} exec {engine} "$@"\n')
    wrapper.chmod(0o755)
    run = subprocess.run([sys.executable, "-B", DIRECTED, "--armpmu", ARMPMU, PROGRAM], check=False,
                         capture_output=True, text=True, env={**os.environ, "ARMPMU_QEMU": str(wrapper)})
    said = run.stdout + run.stderr
    if shows_registers:
        assert run.returncode == 0, f"{engine}: {said}"
    else:
        assert run.returncode != 0 and "does not say whether code is A32 or T32" in said, f"{engine}: {said}"


def main():
    found = engines()
    assert found, "no QEMU with plugins"
    for engine, shows_registers in found.items():
        with tempfile.TemporaryDirectory() as folder:
            judge(folder, engine, shows_registers)


main()
