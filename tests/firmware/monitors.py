"""Runs the activity monitors' conformance program on the bare core.

usage: monitors.py ARMPMU ELF CASE

CASE, of CASES below: which unit; each run is judged by what the program says. "again": two runs are the same
to the byte. "guest": so is what a QEMU guest says and counts, every count of the three windows; skipped (77)
without QEMU 11. BUILD is where scripts/with-qemu11 keeps its QEMU.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guest"))
from amu import CASES as GUEST_CASES, clocks_of, judge_checks, run as run_guest, windows_of  # noqa: E402

MACHINE = "neoverse-n2"
VIEW = "0x43ff0000"

# Arguments, what the program must find, and whether it finds the memory-mapped view.
CASES = {
    "plain": (["--frame", VIEW], "unit AMUv1, 3 auxiliary counters", True),
    "v1p1": (["--amu", "v1p1,group1:16", "--frame", VIEW], "unit AMUv1p1, 16 auxiliary counters", True),
    "again": (["--amu", "enabled,group1:0"], "unit AMUv1, 0 auxiliary counters", False),
    "guest": ([], "unit AMUv1, 3 auxiliary counters", False),
}


def run(armpmu, elf, words):
    done = subprocess.run([armpmu, "run", "--machine", MACHINE, "--timeout", "200", *words, elf],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    return done.returncode, done.stdout.splitlines()


def judge_windows(lines, clocks):
    """Complaints about what the counters showed."""
    windows, complaints = windows_of(lines), []
    if len(windows) != 3:
        return [f"{len(windows)} windows of 3"]
    for number, (cycles, constant, retired, stalls) in enumerate(windows):
        if abs(cycles * clocks[1] - constant * clocks[0]) > max(clocks):
            complaints.append(f"window {number}: {cycles} cycles and {constant} ticks of clocks {clocks}")
        if not 0 < stalls <= cycles or retired < 7 * (1000 << number):
            complaints.append(f"window {number}: {retired} retired, {stalls} stalls, {cycles} cycles")
    return complaints


def main(armpmu, elf, case):
    words, unit, has_view = CASES[case]
    status, lines = run(armpmu, elf, words)
    complaints = judge_checks(status, lines, unit, has_view) or judge_windows(lines, clocks_of())
    if case == "again" and run(armpmu, elf, words) != (status, lines):
        complaints.append("a second run is not the same")
    if case == "guest" and not complaints:
        plugin = Path(armpmu).resolve().parent / "armpmu-qemu.so"
        guest = run_guest(elf, GUEST_CASES["plain"][0], f"{plugin},machine={MACHINE}")
        said = [line for line in guest[1] if line in lines or not line.startswith((" ", "armpmu"))]
        if [line for line in said if line] != lines:
            complaints += ["the guest says:", *(line for line in said if line not in lines)]
    print("\n".join(line for line in lines if not line.startswith("ok ")))
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
