#!/usr/bin/env python3
"""armpmu record of programs that are not plain: what is in no file, in a library that is opened late, without
symbols, in threads, in forked processes; cut short by a signal.

Everywhere the rows add up to the totals; where no race decides, the totals are those of armpmu stat. Programs take turns in
A32 and A64; with ARMPMU_TEST_LONG set each runs in both.

usage: programs.py ARMPMU FOLDER_OF_THE_GUEST_MODULE FOLDER_OF_PROGRAMS FOLDER
"""

import functools
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, sys.argv[2])

import counting  # noqa: E402
import guest  # noqa: E402

TARGETS = {"A32": (guest.ARM, ["-marm"]), "A64": (guest.AARCH64, [])}
RACES = {"threads"}
LONG = "ARMPMU_TEST_LONG" in os.environ


def record(armpmu, program, target, out, status=0):
    choice = ["--machine", target.machine] if target.machine else []
    command = [armpmu, "record", "-q", "-g", "-o", out, *choice, "--", program]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode != status:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.decode()}")
    return sqlite3.connect(out)


def totals(db):
    return dict(db.execute("SELECT name, n FROM total JOIN event ON event.id = event"))


def sums(db):
    return dict(db.execute("SELECT name, SUM(n) FROM count JOIN event ON event.id = event GROUP BY name"))


def named(db, function):
    """The object and the instructions retired of a function."""
    return db.execute("""SELECT object.path, SUM(n) FROM count JOIN event ON event.id = event
                         JOIN insn ON insn.id = insn JOIN function ON function.id = insn.function
                         LEFT JOIN object ON object.id = insn.object
                         WHERE event.name = 'INST_RETIRED' AND function.name = ?""", (function,)).fetchone()


def reads_like(armpmu, path):
    """Whether the commands that read a profile take it."""
    for command in (["report", "-i", path], ["script", "-i", path]):
        done = subprocess.run([armpmu, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            return f"armpmu {' '.join(command)}: exit status {done.returncode}: {done.stderr.decode()}"
    return None


def check_sums(label, db):
    have, want = sums(db), totals(db)
    if not want.get("INST_RETIRED"):
        yield f"{label}: nothing was counted"
    for event, count in want.items():
        if have.get(event, 0) != count:
            yield f"{label}: {event}: the rows add up to {have.get(event)}, not to {count}"
    yield from check_misses(label, db, want)


def check_misses(label, db, want):
    """By time and by set, misses of a cache are as many as those of its event."""
    caches = db.execute("""SELECT cache.name, event.name,
        (SELECT SUM(n) FROM miss JOIN region ON region.id = region WHERE region.cache = cache.id),
        (SELECT SUM(n) FROM set_miss WHERE set_miss.cache = cache.id)
        FROM cache LEFT JOIN event ON event.id = event ORDER BY cache.id""").fetchall()
    if [cache[0] for cache in caches] != ["L1I", "L1D", "L2"]:
        yield f"{label}: misses are known of the caches {caches}"
    for name, event, by_time, by_set in caches:
        if by_time != by_set or not by_time or (event and by_time != want[event]):
            yield f"{label}: {name} has {by_time} misses by time, {by_set} by set, {want.get(event)} of {event}"


def check(label, armpmu, program, target, scratch, races=False):
    out = os.path.join(scratch, "armpmu.data")
    db = record(armpmu, program, target, out)
    yield from check_sums(label, db)
    problem = reads_like(armpmu, out)
    if problem:
        yield f"{label}: {problem}"
    if races:
        return
    have = totals(db)
    for event, count in counting.Counter(armpmu, scratch).counts(program, machine=target.machine).items():
        if count is not None and have.get(event) != count:
            yield f"{label}: {event} is {have.get(event)}, armpmu stat says {count}"


def check_jit(label, scratch):
    """Both versions of the code are there, each with its bytes, and belong to no file."""
    db = sqlite3.connect(os.path.join(scratch, "armpmu.data"))
    rows = db.execute("""SELECT insn.address, insn.bytes, SUM(n) FROM count JOIN event ON event.id = event
                         JOIN insn ON insn.id = insn WHERE event.name = 'INST_RETIRED'
                         AND insn.object IS NULL GROUP BY insn.id ORDER BY n""").fetchall()
    counts = sorted(n for _, code, n in rows if code)
    if counts != [100, 100, 200]:
        yield f"{label}: instructions in no file ran {counts} times, should be 100, 100 and 200"


def check_library(label, scratch, library):
    db = sqlite3.connect(os.path.join(scratch, "armpmu.data"))
    path, retired = named(db, "from_library")
    if path is None or not os.path.samefile(path, library):
        yield f"{label}: from_library is said to be in {path}"
    if not retired or retired < 3 * 100:
        yield f"{label}: from_library retired {retired} instructions"


def check_stripped(label, scratch, program):
    db = sqlite3.connect(os.path.join(scratch, "armpmu.data"))
    nameless = db.execute("SELECT COUNT(*) FROM function WHERE name IS NULL OR name = ''").fetchone()[0]
    own = db.execute("SELECT COUNT(*) FROM function WHERE name LIKE ?",
                     (os.path.basename(program) + "+0x%",)).fetchone()[0]
    if nameless or not own:
        yield f"{label}: {nameless} functions without a name, {own} by their place"


def check_interrupt(label, armpmu, program, target, scratch):
    """Ctrl-C: what was counted is in the file, which says that it is not complete."""
    out = os.path.join(scratch, "cut.data")
    choice = ["--machine", target.machine] if target.machine else []
    running = subprocess.Popen([armpmu, "record", "-q", "-o", out, *choice, "--", program],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    running.stdout.readline()
    time.sleep(0.3)
    os.killpg(running.pid, signal.SIGINT)
    status = running.wait()
    if status != 128 + signal.SIGINT:
        yield f"{label}: exit status {status} after an interrupt"
    db = sqlite3.connect(out)
    yield from check_sums(label, db)
    if db.execute("SELECT value FROM meta WHERE key = 'is_complete'").fetchone() != (0,):
        yield f"{label}: an interrupted run is said to be complete"


def checks(build, armpmu, programs, folder, scratch):
    target, flags = TARGETS[build]

    def made(name, source, *more):
        path = os.path.join(scratch, f"{name}-{build}")
        return guest.compile_program(source, path, [*flags, "-g", "-O1", *more], target)

    def jit():
        program = made("jit", os.path.join(folder, "jit.c"), "-static")
        yield from check(f"jit {build}", armpmu, program, target, scratch)
        yield from check_jit(f"jit {build}", scratch)

    def opens():
        library = made("library.so", os.path.join(folder, "library.c"), "-shared", "-fPIC")
        program = made("opens", os.path.join(folder, "opens.c"), f'-DLIBRARY="{library}"')
        yield from check(f"opens {build}", armpmu, program, target, scratch)
        yield from check_library(f"opens {build}", scratch, library)

    def stripped():
        program = made("stripped", os.path.join(programs, "text.c"), "-s")
        yield from check(f"stripped {build}", armpmu, program, target, scratch)
        yield from check_stripped(f"stripped {build}", scratch, program)

    def plain(name):
        program = made(name, os.path.join(programs, name + ".c"))
        yield from check(f"{name} {build}", armpmu, program, target, scratch, name in RACES)

    def endless():
        program = made("endless", os.path.join(folder, "endless.c"), "-static")
        yield from check_interrupt(f"endless {build}", armpmu, program, target, scratch)

    all_of_them = [jit, opens, stripped, endless,
                   *(functools.partial(plain, name) for name in ("threads", "processes", "signals", "jumps", "faults"))]
    for some in all_of_them if LONG else all_of_them[list(TARGETS).index(build)::2]:
        yield from some()


def main(armpmu, _, programs, folder):
    missing = guest.missing_tools() or guest.missing_tools(target=guest.AARCH64)
    if missing:
        print(missing)
        return guest.SKIPPED
    wrong = []
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        for build in TARGETS:
            wrong += checks(build, armpmu, programs, folder, scratch)
    for message in wrong:
        print("WRONG", message)
    return 1 if wrong else 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell ignores it for what runs in the background
    sys.exit(main(*sys.argv[1:]))
