"""`armpmu record --guest` of Debian's kernel: its functions, a module's, and programs by name.

usage: profile_linux.py ARMPMU SPIN

SPIN: programs/spin.c, built. A boot without the plugin prints the list of symbols: a 32-bit kernel and its first
module lie where they lay before. The environment as for boot.py.
"""

import sqlite3
import sys
import tempfile
from pathlib import Path

import boot

LOAD = "insmod /bin/dummy.ko"
# Each a program of its own, and its instructions in the loop: two a round.
ROUNDS = {"first": 1000, "second": 3000}


def symbols(armpmu, module, file):
    done = boot.run([LOAD, "cat /proc/kallsyms"], armpmu=armpmu, programs=[module])
    file.write_text("\n".join(done.commands[1].output) + "\n", encoding="ascii")


def record(armpmu, module, spin, folder, kallsyms):
    programs = [module]
    for name in ROUNDS:
        programs.append(folder / name)
        programs[-1].write_bytes(Path(spin).read_bytes())
    data = folder / "armpmu.data"
    under = [armpmu, "record", "--guest", "-q", "-o", data, "-e", "cycles,instructions,L1D_CACHE_REFILL",
             "--kallsyms", kallsyms, "--symbols", f"first={spin}", "--"]
    return data, boot.run([LOAD, *(f"{name} {rounds}" for name, rounds in ROUNDS.items())], armpmu=armpmu,
                          programs=programs, under=under)


def judge(database):
    """Complaints about what was recorded."""
    def ask(sql, *values):
        return database.execute(sql, values).fetchall()

    complaints = []
    functions = {(function, object.split(" ")[0]): n for function, object, n in ask(
        "SELECT function, object, n FROM by_function WHERE event = 'INST_RETIRED'")}
    for function in [("__switch_to", "[kernel.kallsyms]"), ("vector_swi", "[kernel.kallsyms]"),
                     ("start_kernel", "[kernel.kallsyms]"), ("dummy_setup", "[dummy]")]:
        if function not in functions:
            complaints.append(f"{function} is not there")
    loop = 2 * 1000 * ROUNDS["first"]
    if not loop < functions.get(("spin", "first"), 0) < loop + 10:
        complaints.append(f"spin: {functions.get(('spin', 'first'))} instructions, not {loop} and a return")
    for name, rounds in ROUNDS.items():
        found = ask("SELECT sum(n) FROM by_function WHERE event = 'INST_RETIRED' AND object GLOB ?", f"{name} [[]*")
        if not 2000 * rounds < (found[0][0] or 0) < 2000 * rounds + 200000:
            complaints.append(f"{name}: {found} instructions of its own, not some more than {2000 * rounds}")
        threads = ask("SELECT process, thread, n FROM by_thread WHERE event = 'INST_RETIRED' AND name = ?", name)
        if len(threads) != 1 or threads[0][0] != threads[0][1] or threads[0][2] < found[0][0]:
            complaints.append(f"{name}: threads {threads}")
    known = {name for name, in ask("SELECT name FROM thread")}
    if not {"swapper/0", "kthreadd", "init", "CPU0", *ROUNDS} <= known:
        complaints.append(f"threads: {sorted(known)}")
    if ask("SELECT process FROM thread WHERE name = 'kthreadd'") != [(2,)]:
        complaints.append("kthreadd is not process 2")
    named = sum(n for (_, object), n in functions.items() if object == "[kernel.kallsyms]")
    if named < 100_000_000:
        complaints.append(f"only {named} instructions of the kernel have names")
    return complaints


def status_of(record, judge_profile):
    """The exit status of a test that records in a guest: record(folder) returns the profile and the boot."""
    try:
        with tempfile.TemporaryDirectory() as name:
            data, done = record(Path(name))
            complaints = [f"{command.line}: {command.status}" for command in done.commands if command.status]
            complaints += judge_profile(sqlite3.connect(data))
    except boot.BootFailed as failure:
        complaints = [str(failure)]
    print(*complaints, sep="\n")
    return 1 if complaints else 0


def main():
    armpmu, spin = (str(Path(word).resolve()) for word in sys.argv[1:3])
    module = boot.fetched("fetch-guest") / "dummy.ko"

    def record_all(folder):
        symbols(armpmu, module, folder / "kallsyms")
        return record(armpmu, module, spin, folder, folder / "kallsyms")

    return status_of(record_all, judge)


if __name__ == "__main__":
    sys.exit(main())
