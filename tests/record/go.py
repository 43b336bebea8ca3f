#!/usr/bin/env python3
"""armpmu record of a Go program: functions have names, and sums equal the totals. For Arm; with
ARMPMU_TEST_LONG set for AArch64, too: each time Go compiles its library, which takes longer than the rest.

usage: go.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, sys.argv[2])

import guest  # noqa: E402

SKIP = 77
TARGETS = {"arm": guest.ARM, **({"arm64": guest.AARCH64} if "ARMPMU_TEST_LONG" in os.environ else {})}
NAMES = {"main.build", "main.(*list).sum", "main.main", "runtime.mallocgc", "runtime.gcStart"}


def build(source, architecture, folder):
    variables = {"GOOS": "linux", "GOARCH": architecture, "GOARM": "7", "CGO_ENABLED": "0", "GO111MODULE": "off",
                 "GOCACHE": folder + "/cache", "GOPATH": folder + "/go"}
    program = f"{folder}/{architecture}"
    subprocess.run(["go", "build", "-o", program, source], env=os.environ | variables, check=True)
    return program


def record(armpmu, target, program):
    data = program + ".data"
    machine = ["--machine", target.machine] if target.machine else []
    done = subprocess.run([armpmu, "record", "-q", "-g", "-o", data, *machine, "--", program], capture_output=True,
                          stdin=subprocess.DEVNULL, text=True, check=False)
    if (done.returncode, done.stderr) != (0, "7996000\n"):
        sys.exit(f"{program}: status {done.returncode}: {done.stderr}")
    return sqlite3.connect(data)


def check(architecture, db):
    names = {name for name, in db.execute("SELECT DISTINCT name FROM function")}
    if not NAMES <= names:
        sys.exit(f"{architecture}: no {', '.join(sorted(NAMES - names))}")
    for name, n, total in db.execute("SELECT name, (SELECT SUM(n) FROM count WHERE event = total.event), n"
                                     " FROM total JOIN event ON event.id = total.event"):
        if (n or 0) != total:
            sys.exit(f"{architecture}: {name}: {n} in all rows, should be {total}")
    most, = db.execute("SELECT SUM(n) FROM count JOIN event ON event.id = event JOIN insn ON insn.id = insn"
                       " JOIN function ON function.id = insn.function"
                       " WHERE event.name = 'INST_RETIRED' AND function.name = 'main.(*list).sum'").fetchone()
    if most < 4 * 2000 * 3:  # a load, an addition and a test for each element
        sys.exit(f"{architecture}: main.(*list).sum has {most} instructions")


def main(armpmu, _, source):
    if shutil.which("go") is None:
        print("no Go compiler (Debian: golang-go)")
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as folder:
        for architecture, target in TARGETS.items():
            missing = guest.missing_tools(target=target)
            if missing:
                print(missing)
                sys.exit(SKIP)
            check(architecture, record(str(Path(armpmu).resolve()), target, build(source, architecture, folder)))


main(*sys.argv[1:4])
