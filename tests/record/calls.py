#!/usr/bin/env python3
"""Call paths of armpmu record against calls of known number, and its totals against armpmu stat.

usage: calls.py ARMPMU FOLDER_OF_THE_GUEST_MODULE SOURCE SOURCE_OF_OLD_CALLS
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.argv[2])

import counting  # noqa: E402
import guest  # noqa: E402

OLD_ARM = guest.Target("arm-linux-gnueabi-gcc", guest.QEMU, "pxa255", "gcc-arm-linux-gnueabi")

BUILDS = {
    "A32": (guest.ARM, ["-marm", "-static", "-O1", "-g"]),
    "A32 on Cortex-R4F": (guest.ARM._replace(machine="cortex-r4f"), ["-marm", "-static", "-O1", "-g"]),
    "A32 on XScale": (OLD_ARM, ["-marm", "-static", "-O1", "-g"]),
    "T32": (guest.ARM, ["-mthumb", "-static", "-O1", "-g"]),
    "A64": (guest.AARCH64, ["-static", "-O1", "-g"]),
}
DEEP = 10000
EVEN = 1000

# Retired instructions, as each core calls them.
RETIRED = ("INST_RETIRED", "INSTRUCTION")

# Path from main on -> how often it was entered. Recursive calls are one more path, however deep.
CALLS = {
    "thrice": 10,
    "thrice leaf": 30,
    "tail": 1,
    "deep": 1,
    "deep deep": DEEP,
    "leaf": 2,
    "even": 1,
    "even odd": 1,
    "even odd even": EVEN // 2,
    "even odd even odd": EVEN // 2 - 1,
    "countdown": 4,
    "catches": 3,
    "catches jumps_out": 3,
    "catches jumps_out jumps_out": 21,
    "catches leaf": 3,
    "through": 2,
    "through thrice": 1,
    "through thrice leaf": 3,
    "through tail": 1,
}
# Calls of callgrind's format, wherever they are from.
CALLGRIND = {("deep", "deep"): DEEP, ("main", "even"): 1, ("even", "odd"): EVEN // 2, ("odd", "even"): EVEN // 2}
HANDLER = {"handler": 4, "handler leaf": 4}
# Of the calls by MOV LR, PC.
OLD = {f"{by} {callee}": 3 for by in ("by_bx", "by_load", "by_move") for callee in ("leaf", "after")}
OLD |= {"helper": 3, "helper after": 3, "after": 1}
# The tail call runs leaf in the path of its caller.
LEAF_IN_TAIL = 2


def record(armpmu, program, machine, out, *options):
    choice = ["--machine", machine] if machine else []
    command = [armpmu, "record", "-q", "-g", "-o", out, *choice, *options, "--", program]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr.decode()}")
    return sqlite3.connect(out)


def path_names(db):
    """Path number -> names of its functions, outermost first."""
    names = {0: ()}
    rows = db.execute("SELECT path.id, parent, name FROM path LEFT JOIN function ON function.id = function"
                      " WHERE path.id > 0 ORDER BY path.id")
    for number, parent, name in rows:
        names[number] = (*names[parent], name)
    return names


def from_main(names):
    return " ".join(names[names.index("main") + 1:]) if "main" in names else None


def entered(db, starts):
    """Path as text -> how often it was entered; paths that reach it from several calls are one."""
    calls = {}
    for number, names in path_names(db).items():
        text = starts(names)
        if text:
            count = db.execute("SELECT calls FROM path WHERE id = ?", (number,)).fetchone()[0]
            calls[text] = calls.get(text, 0) + count
    return calls


def from_handler(names):
    return " ".join(names) if names and names[0] == "handler" else None


def differences(have, want, label):
    for path, calls in want.items():
        if have.get(path) != calls:
            yield f"{label}: {path!r} was entered {have.get(path)} times, should be {calls}"


def leaf_in_tail(db):
    names = path_names(db)
    tails = [number for number, path in names.items() if path and path[-1] == "tail"]
    marks = ",".join("?" * len(tails))
    return db.execute(
        f"""SELECT MAX(n) FROM count JOIN event ON event.id = event JOIN insn ON insn.id = insn
            JOIN function ON function.id = insn.function
            WHERE event.name IN {RETIRED} AND function.name = 'leaf' AND path IN ({marks})
              AND insn.address = function.address""", tails).fetchone()[0]


def recursive_costs(armpmu, data):
    """Function -> inclusive and self instructions, as report has them; those of its place in the tree, as a list."""
    def rows(*options):
        command = [armpmu, "report", "-i", data, "-e", "instructions", "-j", *options]
        for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
            row = json.loads(line)
            yield row["symbol"], next(iter(row["events"].values()))
    flat = {name: (counts["inclusive"], counts["self"]) for name, counts in rows("--children", "-s", "symbol")}
    tree = {}
    for name, counts in rows("-G", "--percent-limit", "0"):
        tree.setdefault(name, []).append(counts["inclusive"])
    return flat, tree


def callgrind_costs(armpmu, data):
    """Function -> inclusive instructions, and (caller, called function) -> calls, as readers of the format have them."""
    text = subprocess.run([armpmu, "convert", "-i", data, "-e", "instructions", "--to", "callgrind", "-o", "-"],
                          capture_output=True, text=True, check=True).stdout
    names, costs, calls = {}, {}, {}
    function = callee = None
    for line in text.splitlines():
        named = re.fullmatch(r"(c?)fn=\((\d+)\)(?: (.*))?", line)
        if named:
            name = names.setdefault(named[2], named[3])
            function, callee = (function, name) if named[1] else (name, callee)
        elif line.startswith("calls="):
            pair = function, callee
            calls[pair] = calls.get(pair, 0) + int(line[6:].split()[0])
        elif line.startswith("0x"):
            costs[function] = costs.get(function, 0) + int(line.split()[2])
    return costs, calls


def check_recursion(label, armpmu, data):
    """Two functions that call each other: each has the inclusive counts of all that ran while it was active, once."""
    flat, tree = recursive_costs(armpmu, data)
    db = sqlite3.connect(data)
    outermost = [number for number, names in path_names(db).items() if from_main(names) == "even"]
    first_call = db.execute("SELECT SUM(n) FROM count JOIN event ON event.id = event WHERE event.name IN"
                            f" {RETIRED} AND path = ?", outermost).fetchone()[0]
    if flat["odd"][1] % (EVEN // 2) != 0:
        yield f"{label}: {EVEN // 2} equal calls of odd took {flat['odd'][1]} instructions"
    if flat["even"][0] != flat["even"][1] + flat["odd"][1]:
        yield f"{label}: even and odd call only each other: {flat['even']}, {flat['odd']}"
    if flat["odd"][0] != flat["even"][0] - first_call:
        yield f"{label}: all but the first call of even, {first_call} instructions, is odd's: {flat['even']}, {flat['odd']}"
    if tree["odd"] != [flat["odd"][0]] or tree["even"] != [flat["even"][0]]:
        yield f"{label}: report -G has {tree['even']} and {tree['odd']}, report --children {flat['even']}, {flat['odd']}"
    costs, calls = callgrind_costs(armpmu, data)
    for name in ("main", "deep", "even", "odd", "catches", "thrice"):
        if costs[name] != flat[name][0]:
            yield f"{label}: the inclusive cost of {name} is {costs[name]} for callgrind, {flat[name][0]} for report"
    yield from differences(calls, CALLGRIND, label)


def totals(db):
    return dict(db.execute("SELECT name, n FROM total JOIN event ON event.id = event"))


def sums(db):
    return dict(db.execute("SELECT name, SUM(n) FROM count JOIN event ON event.id = event GROUP BY name"))


def check(label, armpmu, program, target, scratch):
    counter = counting.Counter(armpmu, scratch)
    want = counter.counts(program, machine=target.machine)
    data = os.path.join(scratch, "armpmu.data")
    db = record(armpmu, program, target.machine, data)
    have = totals(db)
    added = sums(db)
    for event, count in want.items():
        if count is not None and have.get(event) != count:
            yield f"{label}: {event} is {have.get(event)}, armpmu stat says {count}"
        if (count or 0) != added.get(event, 0):
            yield f"{label}: {event}: the rows add up to {added.get(event)}, armpmu stat says {count}"
    if not any(want.get(event) for event in RETIRED):
        yield f"{label}: armpmu stat counted nothing"
    yield from differences(entered(db, from_main), CALLS, label)
    yield from differences(entered(db, from_handler), HANDLER, label)
    yield from check_recursion(label, armpmu, data)
    if leaf_in_tail(db) != 1:
        yield f"{label}: leaf, jumped to by tail, ran {leaf_in_tail(db)} times in one of its paths, not once"


def check_old(label, armpmu, program, target, scratch):
    db = record(armpmu, program, target.machine, os.path.join(scratch, "armpmu.data"))
    yield from differences(entered(db, from_main), OLD, label)
    at_root = [names[0] for names in path_names(db).values() if len(names) == 1 and names[0] not in ("_start", None)]
    if "after" in at_root or "helper" in at_root:
        yield f"{label}: what follows the kernel's helper has no caller"


def main(armpmu, _, source, old):
    targets = [target for target, _ in BUILDS.values()]
    missing = next(filter(None, (guest.missing_tools(target=target) for target in targets)), None)
    if missing:
        print(missing)
        return guest.SKIPPED
    wrong = []
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        for build, (target, flags) in BUILDS.items():
            program = guest.compile_program(source, os.path.join(scratch, build), flags, target)
            wrong += check(build, armpmu, program, target, scratch)
            if "-marm" in flags:
                program = guest.compile_program(old, os.path.join(scratch, f"{build}, old"), flags, target)
                wrong += check_old(f"{build}, old", armpmu, program, target, scratch)
    for message in wrong:
        print("WRONG", message)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
