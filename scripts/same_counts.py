"""Compares the counts of two builds of armpmu, byte for byte.

usage: scripts/same-counts OLD NEW [FOLDER]
       scripts/same-counts [--write] COMMAND

OLD, NEW, COMMAND: an armpmu. Two commands replay the saved traces of tests/counts on every machine that can, in every
way that prints counts, and count and profile the programs of tests/programs.list below FOLDER (the folder of NEW) live.
One command replays the saved traces alone; tests/counts/digests has the digest of each machine's counts, and --write
writes them anew: a commit that changes a count then shows on which machines.

Why saved traces: a compiler of another version makes another program, and a live run needs QEMU. A trace has what was
executed, so the counts of a replay depend on the model alone.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SAVED = ROOT / "tests" / "counts"
WAYS = (("-j", "-e", "all"), ("-j", "-e", "all", "-I", "200000i"), ("-j", "-e", "all", "--per-thread"),
        ("-j", "--topdown"), ("-j", "-M", "all"), ("-j", "-e", "all", "--from", "20000"))
FAILED = b"armpmu ended with "
PROFILES = (("report", "-x,"), ("annotate", "-x,"), ("script",))


def output_of(command, *words):
    """The standard output of a command, or what it says when it fails."""
    done = subprocess.run([command, *map(str, words)], capture_output=True, check=False, stdin=subprocess.DEVNULL)
    return done.stdout if done.returncode in (0, 3) else FAILED + b"status %d: " % done.returncode + done.stderr


def counts_of(command, words):
    """What a command of armpmu writes to the file of -o."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report")
        said = output_of(command, words[0], "-o", report, *words[1:])
        return report.read_bytes() if report.exists() else said


def machines_of(command):
    """(name, core) of each."""
    rows = map(json.loads, output_of(command, "list", "machine", "-j").splitlines())
    return [(row["MachineName"], row["Core"]) for row in rows]


def replays(command):
    """(trace, machine) of all that can be replayed: every machine of a core can, or none."""
    machines = machines_of(command)
    one_of_each = {core: machine for machine, core in machines}
    for trace in sorted(SAVED.glob("*.trace")):
        able = {core: b"the trace is of a program on" not in output_of(command, "replay", "-n", "-q", "--machine", machine, trace)
                for core, machine in one_of_each.items()}
        yield from ((trace, machine) for machine, core in machines if able[core])


def replay_counts(command, trace, machine):
    return [counts_of(command, ("replay", "--machine", machine, *way, trace)) for way in WAYS]


def digest(command, trace, machine):
    return hashlib.sha256(b"".join(replay_counts(command, trace, machine))).hexdigest()[:16]


def each(function, items):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda item: function(*item), items))


def check_saved(command, write):
    """Whether the saved traces count as tests/counts/digests says."""
    what = list(replays(command))
    lines = [f"{trace.stem} {machine} {value}\n"
             for (trace, machine), value in zip(what, each(lambda *item: digest(command, *item), what))]
    file = SAVED / "digests"
    if write:
        file.write_text("".join(lines), encoding="utf-8")
        return True
    before = file.read_text(encoding="utf-8").splitlines(keepends=True)
    for line in sorted(set(before) ^ set(lines)):
        print(f"{'before' if line in before else 'now'}: {line}", end="")
    if before != lines:
        print("the counts of saved traces changed: a change of structure or speed must not; a change that names its source "
              "commits what 'scripts/same-counts --write COMMAND' writes")
    return before == lines and bool(lines)


def profile(command, folder, words):
    """A profile of a live run, in each form that prints counts."""
    data = Path(folder, "data")
    said = output_of(command, "record", "-g", "-e", "all", "-o", data, *words)
    return [said if not data.exists() else output_of(command, form[0], "-i", data, *form[1:]) for form in PROFILES]


def live_counts(command, engine, machine, *words):
    """Counts and profile of a program, live. Each command writes its files by one name, as reports have the name."""
    options = ("--stable",) if engine == "stat" else ()
    counts = counts_of(command, ("stat", *options, "--machine", machine, "-j", "-e", "all", "--", *words))
    with tempfile.TemporaryDirectory() as folder:
        forms = profile(command, folder, ("--machine", machine, "--", *words))
        return [counts, *(form.replace(folder.encode(), b"") for form in forms)]


def programs(folder):
    for line in (ROOT / "tests" / "programs.list").read_text(encoding="utf-8").splitlines():
        engine, machine, file, *arguments = line.split() if line and line[0] != "#" else ("guest", "", "")
        if engine != "guest":
            yield engine, machine, str(Path(folder, file)), *arguments


def compare(old, new, folder):
    """Whether two commands count the same; a line for each machine and program."""
    same = True
    what = [("replay", *item) for item in replays(old)] + list(programs(folder))

    def pair(engine, *item):
        if engine == "replay":
            return [replay_counts(command, *item) for command in (old, new)]
        return [live_counts(command, engine, *item) for command in (old, new)]

    there = [item for item in what if item[0] == "replay" or Path(item[2]).exists()]
    for item in what:
        if item not in there:
            print(*item, "not there: not compared")
    for item, (before, after) in zip(there, each(pair, there)):
        ways = WAYS if item[0] == "replay" else (("counts",), *PROFILES)
        differ = [f"{' '.join(way)} {'failed' if FAILED in (old_part[:len(FAILED)], new_part[:len(FAILED)]) else 'differs'}"
                  for way, old_part, new_part in zip(ways, before, after)
                  if old_part != new_part or old_part.startswith(FAILED)]
        print(*(getattr(word, "stem", word) for word in item), ", ".join(differ) or "same", flush=True)
        same = same and not differ
    return same and bool(there)


def main():
    words = sys.argv[1:]
    write = words[:1] == ["--write"]
    commands = words[write:]
    if not 1 <= len(commands) <= 3 or (write and len(commands) != 1):
        sys.exit(__doc__)
    commands[:2] = [str(Path(command).resolve()) for command in commands[:2]]
    if len(commands) == 1:
        sys.exit(0 if check_saved(commands[0], write) else 1)
    sys.exit(0 if compare(*commands[:2], commands[2] if len(commands) == 3 else Path(commands[1]).parent) else 1)


if __name__ == "__main__":
    main()
