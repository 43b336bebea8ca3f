#!/usr/bin/env python3
"""Latency and interval of single A64 instructions, and of branches, on a machine, beside published measurements.

usage: instructions.py ARMPMU MACHINE [RESULTS.md]

RESULTS.md is a file of the folder results/ of github.com/ocxtal/insn_bench_aarch64, which the user has on disk:
gcp_ampere_altra.md for neoverse-n1 (or aws_graviton2.md, which has more branches), aws_graviton3.md for neoverse-v1, raspberry-pi-3_cortex-a53.md for raspberrypi3. A row agrees when both figures are within an eighth.
A latency is of a chain in which each instruction waits for the one before it; an interval, of instructions that wait for
nothing. Both come from the cycles of two loops of different lengths, so that what is around a loop drops out."""
import json, re, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Name as published: instruction with {d} for what it writes, {s} for what links a chain. Of chains s is d.
INTEGER = """mov (x -> x): mov {d}, {s}
add (reg): add {d}, {s}, x10|add (reg<<2): add {d}, x10, {s}, lsl #2|add (reg<<17): add {d}, x10, {s}, lsl #17
add (reg>>17): add {d}, x10, {s}, lsr #17|add (reg>>17; signed): add {d}, x10, {s}, asr #17|add (imm): add {d}, {s}, #1
add (imm<<12): add {d}, {s}, #1, lsl #12|adc: adc {d}, {s}, x10|sub (reg): sub {d}, {s}, x10|sub (reg<<2): sub {d}, x10, {s}, lsl #2
sub (imm): sub {d}, {s}, #1|sbc: sbc {d}, {s}, x10|neg (reg): neg {d}, {s}|neg (reg<<2): neg {d}, {s}, lsl #2|ngc: ngc {d}, {s}
mul: mul {d}, {s}, x10|mneg: mneg {d}, {s}, x10|madd: madd {d}, {s}, x10, x11|msub: msub {d}, {s}, x10, x11
smull: smull {d}, {ws}, w10|smnegl: smnegl {d}, {ws}, w10|smaddl: smaddl {d}, {ws}, w10, x11|umull: umull {d}, {ws}, w10
umaddl: umaddl {d}, {ws}, w10, x11|smulh: smulh {d}, {s}, x10|umulh: umulh {d}, {s}, x10
sxtb: sxtb {d}, {ws}|sxth: sxth {d}, {ws}|sxtw: sxtw {d}, {ws}|uxtb: uxtb {wd}, {ws}|uxth: uxth {wd}, {ws}
lsl (reg) / lslv: lsl {d}, {s}, x10|lsl (imm): lsl {d}, {s}, #3|lsr (reg) / lsrv: lsr {d}, {s}, x10|lsr (imm): lsr {d}, {s}, #3
asr (reg) / asrv: asr {d}, {s}, x10|asr (imm): asr {d}, {s}, #3|ror (imm): ror {d}, {s}, #3|ror (reg) / rorv: ror {d}, {s}, x10
extr (imm; >>17): extr {d}, {s}, x10, #17|sbfx: sbfx {d}, {s}, #3, #7|sbfiz: sbfiz {d}, {s}, #3, #7
ubfx: ubfx {d}, {s}, #3, #7|ubfiz: ubfiz {d}, {s}, #3, #7|bic (reg): bic {d}, {s}, x10|bic (reg<<2): bic {d}, x10, {s}, lsl #2
rbit: rbit {d}, {s}|rev (rev16): rev16 {d}, {s}|rev (rev32): rev32 {d}, {s}|rev (rev64): rev {d}, {s}|clz: clz {d}, {s}|cls: cls {d}, {s}
and (reg): and {d}, {s}, x10|and (reg<<2): and {d}, x10, {s}, lsl #2|and (reg<<17): and {d}, x10, {s}, lsl #17
and (reg>>17; rotate): and {d}, x10, {s}, ror #17|and (mask imm): and {d}, {s}, #0xff|orr (reg): orr {d}, {s}, x10
orr (reg<<2): orr {d}, x10, {s}, lsl #2|orn (reg): orn {d}, {s}, x10|eor (reg): eor {d}, {s}, x10|eor (reg<<2): eor {d}, x10, {s}, lsl #2
eon (reg): eon {d}, {s}, x10|mvn (reg): mvn {d}, {s}|mvn (reg<<2): mvn {d}, {s}, lsl #2
csinc (eq): csinc {d}, {s}, x10, eq|cinc (eq): cinc {d}, {s}, eq|csinv (eq): csinv {d}, {s}, x10, eq|csneg (eq): csneg {d}, {s}, x10, eq
crc32x: crc32x {wd}, {ws}, x10|crc32cx: crc32cx {wd}, {ws}, x10
casal: casal {d}, x10, [x12]|ldaddal: ldaddal x10, {d}, [x12]|ldsetal: ldsetal x10, {d}, [x12]|lduminal: lduminal x10, {d}, [x12]"""
VECTOR = """{o}.{e}: {o} {d}.{t}, {s}.{t}, v30.{t}"""
PLAIN = "add sub sqadd uqadd sqsub uqsub shadd uhadd srhadd smax umin sabd cmeq cmgt cmhi"
OTHERS = """aese: aese {d}.16b, v30.16b|aesmc: aesmc {d}.16b, {s}.16b|sha1h: sha1h {sd}, {ss}
sha256h: sha256h {qd}, q30, v31.4s|sha256su0: sha256su0 {d}.4s, v30.4s|sha256su1: sha256su1 {d}.4s, v30.4s, v31.4s
saddl.s: saddl {d}.2d, {s}.2s, v30.2s|addhn.s: addhn {d}.4h, {s}.4s, v30.4s|saddlp.s: saddlp {d}.2d, {s}.4s
addv.b: addv {bd}, {s}.16b|addv.h: addv {hd}, {s}.8h|addv.s: addv {sd}, {s}.4s|smaxv.b: smaxv {bd}, {s}.16b|uminv.s: uminv {sd}, {s}.4s
mul.b (vec): mul {d}.16b, {s}.16b, v30.16b|mul.h (vec): mul {d}.8h, {s}.8h, v30.8h|mul.s (vec): mul {d}.4s, {s}.4s, v30.4s
smull.h (vec): smull {d}.4s, {s}.4h, v30.4h|smull.s (vec): smull {d}.2d, {s}.2s, v30.2s|mla.s (vec): mla {d}.4s, {s}.4s, v30.4s
smlal.s (vec): smlal {d}.2d, {s}.2s, v30.2s|mla.s (vec; acc. fwd.): mla {d}.4s, v31.4s, v30.4s
smlal.s (vec; acc. fwd.): smlal {d}.2d, v31.2s, v30.2s|saba.s (acc. fwd.): saba {d}.4s, v31.4s, v30.4s|sadalp.s: sadalp {d}.2d, {s}.4s
clz.s: clz {d}.4s, {s}.4s|cnt.b: cnt {d}.16b, {s}.16b|shl.s (imm; <<2): shl {d}.4s, {s}.4s, #2|sshl.s (reg): sshl {d}.4s, {s}.4s, v30.4s
sqshl.s (imm; <<2): sqshl {d}.4s, {s}.4s, #2|srshl.s (reg): srshl {d}.4s, {s}.4s, v30.4s|sshll.s (<<2): sshll {d}.2d, {s}.2s, #2
sshr.s (imm; >>2): sshr {d}.4s, {s}.4s, #2|srshr.s (imm; >>2): srshr {d}.4s, {s}.4s, #2|ssra.s (imm; >>2): ssra {d}.4s, {s}.4s, #2
shrn.s (>>2): shrn {d}.2s, {s}.2d, #2|sqshrn.s (>>2): sqshrn {d}.2s, {s}.2d, #2|xtn.s: xtn {d}.2s, {s}.2d
sqxtn.s (vec): sqxtn {d}.2s, {s}.2d|tbl (len == 1): tbl {d}.16b, {{v30.16b}}, {s}.16b|zip1.s: zip1 {d}.4s, {s}.4s, v30.4s
dup.s (vec; lane = 3): dup {d}.4s, {s}.s[3]|fadd.s (scl): fadd {sd}, {ss}, s30|fadd.d (vec): fadd {d}.2d, {s}.2d, v30.2d
fsub.d (scl): fsub {dd}, {ds}, d30|fabs.d (scl): fabs {dd}, {ds}|fabd.s (vec): fabd {d}.4s, {s}.4s, v30.4s|fneg.s (vec): fneg {d}.4s, {s}.4s
fmax.d (scl): fmax {dd}, {ds}, d30|fminnm.s (vec): fminnm {d}.4s, {s}.4s, v30.4s|faddp.s (vec): faddp {d}.4s, {s}.4s, v30.4s
fmul.s (scl): fmul {sd}, {ss}, s30|fmul.d (vec): fmul {d}.2d, {s}.2d, v30.2d|fnmul.d (scl): fnmul {dd}, {ds}, d30
fmla.s (vec): fmla {d}.4s, {s}.4s, v30.4s|fmla.d (vec; acc. fwd.): fmla {d}.2d, v31.2d, v30.2d|fmadd.d: fmadd {dd}, {ds}, d30, d31
fmadd.s (acc. fwd.): fmadd {sd}, s30, s31, {ss}|fnmsub.d: fnmsub {dd}, {ds}, d30, d31|frecps.s (scl): frecps {sd}, {ss}, s30
facge.d (scl): facge {dd}, {ds}, d30|fcmeq.s (vec): fcmeq {d}.4s, {s}.4s, v30.4s|fcmgt.d (scl): fcmgt {dd}, {ds}, d30
fcsel.d (eq): fcsel {dd}, {ds}, d30, eq|fcvt (s -> d): fcvt {dd}, {ss}|fcvtas.d (scl): fcvtas {dd}, {ds}|scvtf.d (vec; int): scvtf {d}.2d, {s}.2d
frinta.d (vec): frinta {d}.2d, {s}.2d|frinta.s (vec): frinta {d}.4s, {s}.4s|frecpe.s (scl): frecpe {sd}, {ss}"""
# Branches, 144 in a row, so that the first levels of predictors do not have them all. Published of a conditional branch to
# the next instruction; here it skips one, since a trace does not tell that branch from one that is not taken.
BRANCHES = {"b (pc+4)": "b . + 4", "b (pc+8)": "b . + 8; nop", "b (pc+4) // add (chain)": "add {d}, {s}, x10; b . + 4",
            "b (pc+4) // add x 2 (chain)": "add {d}, {s}, x10; add {d}, {s}, x10; b . + 4", "adr -> br (pc+4)": "adr x11, . + 8; br x11",
            "adr -> br (pc+4) // add (chain)": "adr x11, . + 12; add {d}, {s}, x10; br x11",
            "bl-ret": "bl routine", "blr-ret": "blr x14", "cbz (pc+4; taken) // add (chain)": "cbz xzr, . + 8; add {d}, {s}, x10",
            "cbz (pc+4; not taken)": "cbz x10, . + 4", "cbz (pc+4; not taken) // add (chain)": "cbz x10, . + 4; add {d}, {s}, x10"}
SHAPES = {"b": "16b", "h": "8h", "s": "4s", "d": "2d"}
UNROLL, BRANCHES_UNROLL, SHORT, LONG = 48, 144, 200, 1200


def rows():
    rows = [row.split(": ", 1) for row in re.split(r"[|\n]", INTEGER + "\n" + OTHERS)]
    for operation in PLAIN.split():
        for element in "bhs":
            rows.append((f"{operation}.{element}" + (" (reg)" if operation.startswith("cm") else ""),
                         f"{operation} {{d}}.{SHAPES[element]}, {{s}}.{SHAPES[element]}, v30.{SHAPES[element]}"))
    return [(name, text, text in INTEGER or name in BRANCHES) for name, text in rows + list(BRANCHES.items())]


def copies(name):
    return BRANCHES_UNROLL if name in BRANCHES else UNROLL


def body(name, text, integer, chain):
    """Chains stay in one register; else nine registers are written in turns and none of them is read."""
    lines = []
    for n in range(copies(name)):
        to = 1 if chain else 1 + n % 9
        by = to if chain else 20
        bank = "x" if integer else "v"
        names = {"d": f"{bank}{to}", "s": f"{bank}{by}"}
        for letter in "wbhsdq":
            names[letter + "d"], names[letter + "s"] = f"{letter}{to}", f"{letter}{by}"
        lines.append(text.format(**names))
    return "\n".join(lines)


def cycles(armpmu, machine, folder, name, text, integer, chain, turns):
    path = Path(folder, re.sub(r"\W", "_", f"{name}{chain}{turns}"))
    path.with_suffix(".s").write_text(
        ".arch armv8.4-a+crypto+fp16+crc\n.global _start\n_start: adrp x12, word\nadd x12, x12, :lo12:word\n"
        f"mov x13, #{turns}\nmov x10, #1\nadr x14, routine\nb 1f\n.balign 128\nroutine: ret\n.balign 128\n1:\n{body(name, text, integer, chain)}\nsubs x13, x13, #1\nb.ne 1b\n"
        "mov x8, #93\nmov x0, #0\nsvc #0\n.bss\n.balign 64\nword: .space 64\n", encoding="ascii")
    subprocess.run(["aarch64-linux-gnu-gcc", "-nostdlib", "-static", path.with_suffix(".s"), "-o", path], check=True)
    out = subprocess.run([armpmu, "stat", "--machine", machine, "-j", "-e", "CPU_CYCLES", "-o", path.with_suffix(".json"), "--", path],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if out.returncode != 0:
        sys.exit(f"{name}: {out.stderr}")
    return float(json.loads(path.with_suffix(".json").read_text().splitlines()[0])["counter-value"])


def measure(armpmu, machine, folder, row):
    name, text, integer = row
    figures = []
    for chain in (True, name in BRANCHES):
        short, long = (cycles(armpmu, machine, folder, name, text, integer, chain, turns) for turns in (SHORT, LONG))
        figures.append((long - short) / (LONG - SHORT) / copies(name))
    return name, figures


def published(path):
    found = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = re.fullmatch(r"\| (.+?) \| (\S+) \| (\S+) \|", line)
        if row:
            latency, rate = (float(x) if re.fullmatch(r"[\d.]+", x) else None for x in row.groups()[1:])
            found.setdefault(row.group(1), (latency, 1 / rate if rate else None))
    return found


def agrees(mine, theirs):
    return theirs is None or abs(mine - theirs) <= theirs / 8


def main():
    armpmu, machine = sys.argv[1:3]
    silicon = published(sys.argv[3]) if len(sys.argv) > 3 else {}
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        wanted = [row for row in rows() if silicon.get(row[0], (0, 0)) != (None, None)]  # n/a: the silicon has it not
        results = list(pool.map(lambda row: measure(armpmu, machine, folder, row), wanted))
    good = known = 0
    for name, mine in results:
        theirs = silicon.get(name, (None, None))
        right = agrees(mine[0], theirs[0]) and agrees(mine[1], theirs[1])
        known += theirs != (None, None)
        good += right and theirs != (None, None)
        shown = ["-" if x is None else f"{x:.2f}" for x in theirs]
        print(f"{name:28} {mine[0]:6.2f} {mine[1]:6.2f}   {shown[0]:>6} {shown[1]:>6}{'' if right else '   differs'}")
    if silicon:
        print(f"{good} of {known} instructions agree within an eighth")


if __name__ == "__main__":
    main()
