"""What instructions of SVE count in a guest: each is one instruction, and one access unless no element is active.

usage: sve.py ARMPMU COMPILER LOOP

LOOP: loop.S. An instruction whose predicate leaves elements out accesses fewer bytes than its registers have, or
none, and the code behind it executes all the same. Each line below says what one execution adds to a loop of NOP. A
window of one entry has no room for wrong paths, which the events count, too.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import qemu11  # noqa: E402  pylint: disable=wrong-import-position

N = 1000
EVENTS = ["INST_RETIRED", "LD_SPEC", "ST_SPEC", "L1D_CACHE_RD", "L1D_CACHE_WR"]
# Instruction, what it adds to each event but the first: p0 has all elements, p1 of bytes every eighth, p2 three, p3 none.
CASES = [
    ("fadd z0.d, z0.d, z0.d", 0, 0, 0, 0),
    ("ld1d {z0.d}, p0/z, [x1]", 1, 0, 1, 0),
    ("ld1d {z0.d}, p0/z, [x1, x6, lsl #3]", 1, 0, 1, 0),
    ("ld1b {z0.d}, p0/z, [x1]", 1, 0, 1, 0),
    ("ld1sw {z0.d}, p0/z, [x1]", 1, 0, 1, 0),
    ("ld1b {z0.b}, p1/z, [x1]", 1, 0, 1, 0),
    ("ld1b {z0.b}, p2/z, [x1]", 1, 0, 1, 0),
    ("ld1b {z0.b}, p3/z, [x1]", 1, 0, 0, 0),
    ("ldff1d {z0.d}, p0/z, [x1, x6, lsl #3]", 1, 0, 1, 0),
    ("ldnf1d {z0.d}, p0/z, [x1]", 1, 0, 0, 0),  # CHOICE(sve-unwatched)
    ("ld1rw {z0.s}, p0/z, [x1]", 1, 0, 1, 0),
    ("ld1rqd {z0.d}, p0/z, [x1]", 1, 0, 1, 0),
    ("ldnt1d {z0.d}, p0/z, [x1]", 1, 0, 1, 0),
    ("ld2b {z0.b-z1.b}, p2/z, [x1]", 1, 0, 1, 0),
    ("ld4d {z0.d-z3.d}, p0/z, [x1]", 1, 0, 1, 0),
    ("ld1d {z0.d}, p0/z, [x1, z5.d]", 1, 0, 0, 0),  # CHOICE(sve-unwatched)
    ("ldff1d {z0.d}, p0/z, [x1, z5.d]", 1, 0, 0, 0),
    ("ld1w {z0.s}, p0/z, [x1, z4.s, sxtw]", 1, 0, 0, 0),
    ("ldr z0, [x1]", 1, 0, 1, 0),
    ("st1d {z0.d}, p0, [x1]", 0, 1, 0, 1),
    ("st1h {z0.d}, p0, [x1, x6, lsl #1]", 0, 1, 0, 1),
    ("st1b {z0.b}, p1, [x1]", 0, 1, 0, 1),
    ("st1b {z0.b}, p2, [x1]", 0, 1, 0, 1),
    ("st1b {z0.b}, p3, [x1]", 0, 1, 0, 0),
    ("stnt1d {z0.d}, p0, [x1]", 0, 1, 0, 1),
    ("st3d {z0.d-z2.d}, p0, [x1]", 0, 1, 0, 1),
    ("st1d {z0.d}, p0, [x1, z5.d]", 0, 1, 0, 1),  # CHOICE(sve-gather)
    ("str z0, [x1]", 0, 1, 0, 1),
]


def counts(armpmu, compiler, loop, insn, folder):
    """Event -> count of the machine's life."""
    source, program, report = folder / "loop.s", folder / "loop.elf", folder / "counts"
    source.write_text(Path(loop).read_text(encoding="ascii").replace("INSN", insn), encoding="ascii")
    subprocess.run([compiler, "-nostdlib", "-static", "-x", "assembler-with-cpp", f"-I{Path(loop).parent}", f"-DN={N}",
                    "-Wl,-Ttext=0x40080000,--build-id=none", source, "-o", program], check=True)
    done = qemu11.run(
        armpmu, "guest", "-j", "-o", report, "--machine", "neoverse-n2-plain", "--set", "window.entries=1",
        "-e", ",".join(EVENTS), "--", "qemu-system-aarch64", "-M", "virt", "-cpu", "neoverse-n2", "-m", "64",
        "-display", "none", "-serial", "none", "-monitor", "none", "-kernel", program)
    if done.returncode != 0:
        sys.exit(f"{insn}: status {done.returncode}: {done.stderr}")
    rows = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    return {row["event"]: int(row["counter-value"]) for row in rows if row.get("event") in EVENTS}


def main():
    armpmu, compiler, loop = sys.argv[1:]
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        nop = counts(armpmu, compiler, loop, "nop", Path(name))
        if nop["INST_RETIRED"] != 29 + 3 * N + 3:
            sys.exit(f"{nop} for {29 + 3 * N + 3} instructions")
        for insn, *adds in CASES:
            found = counts(armpmu, compiler, loop, insn, Path(name))
            right = {event: nop[event] + N * add for event, add in zip(EVENTS, [0, *adds])}
            if found != right:
                wrong += 1
                print(f"WRONG {insn}: {found}, {right} is right")
    print(f"{len(CASES)} instructions of SVE, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
