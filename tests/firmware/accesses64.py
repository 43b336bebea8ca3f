"""The same AArch64 code counts the same on every engine.

usage: accesses64.py ARMPMU BARE LINUX      instructions: on the bare core and as a program for Linux
       accesses64.py ARMPMU BARE guest      every count: on the bare core and in a QEMU guest; skipped (77)
                                            without QEMU 11

The program makes accesses of all kinds: pairs, vectors, exclusive and atomic ones. For Linux its pages are
translated, so that cycles differ there.
"""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "guest"))
import qemu11  # noqa: E402  pylint: disable=wrong-import-position

MACHINE = "neoverse-n2"


def stat(armpmu, engine, elf):
    """{event: count}"""
    done = subprocess.run([armpmu, "stat", "--engine", engine, "--machine", MACHINE, "-x,", elf], check=True,
                          text=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    rows = [line.split(",") for line in done.stderr.splitlines() if line[:1].isdigit()]
    return {row[2]: int(row[0]) for row in rows}


def guest(armpmu, elf):
    plugin = Path(armpmu).resolve().parent / "armpmu-qemu.so"
    words = ["qemu-system-aarch64", "-M", "virt,secure=on,virtualization=on", "-cpu", "max", "-display",
             "none", "-monitor", "none", "-serial", "none", "-semihosting-config", "enable=on,target=native",
             "-kernel", elf, "-plugin", f"{plugin},machine={MACHINE}"]
    done = qemu11.run(*words)
    rows = [line.split() for line in (done.stdout + done.stderr).splitlines()]
    return {row[3]: int(row[0]) for row in rows if len(row) == 4 and row[0].isdigit()}


def main(armpmu, bare, other):
    counts = stat(armpmu, "unicorn", bare)
    right = guest(armpmu, bare) if other == "guest" else stat(armpmu, "qemu", other)
    names = sorted(counts) if other == "guest" else ["INST_RETIRED"]
    wrong = [f"{name}: {counts[name]}, and {right.get(name)} there" for name in names
             if counts[name] != right.get(name)]
    print("\n".join(wrong))
    return 1 if wrong or counts["INST_RETIRED"] < 40000 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
