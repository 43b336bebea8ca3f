"""Holds the register sets of A64 against execution: execute_a64.py FACTS QEMU OBSERVER [SEED]

Random words of each main group run under QEMU, each many times with one register changed (see
observer.c). What runs must be known; no register may change that is not in `writes`, none may
matter that is not in `reads`, nothing may be stored beyond the bytes of memory. Nearly all that is
declared must have been seen as well, over all words together.
"""
import random
import re
import subprocess
import sys

WORDS = 700

# Each group: the bits that are fixed, and those that are random.
GROUPS = [
    (0x10000000, 0xe3ffffff, "data processing, immediate"),
    (0x0a000000, 0xf5ffffff, "data processing, registers"),
    (0x1ac00000, 0xa01fffff, "of two sources"),
    (0x5ac00000, 0xa01fffff, "of one source"),
    (0x1b000000, 0xe0ffffff, "of three sources"),
    (0x08000000, 0xf5c0ffff, "loads and stores"),
    (0x38000000, 0xc5df3fff, "single loads and stores"),
    (0x38200000, 0xc7dfffff, "atomics"),
    (0x08800000, 0xc07fffff, "ordered, compare and swap"),
    (0x0c000000, 0x41ffffff, "structures"),
    (0x0e000000, 0xf1ffffff, "vectors and floating point"),
    (0x0e200000, 0x60dfffff, "vectors: three registers"),
    (0x0e200800, 0x60c1f7ff, "vectors: two registers"),
    (0x0f000000, 0x60ffffff, "vectors: immediates and elements"),
    (0x1e200000, 0x80dfffff, "scalar floating point"),
    (0xce000000, 0x00ffffff, "cryptography"),
    (0x5e000000, 0x20ffffff, "scalars of vectors"),
]


def words(seed):
    generator = random.Random(seed)
    for fixed, free, _ in GROUPS:
        for _ in range(WORDS):
            yield f"{fixed | (generator.getrandbits(32) & free):08x}"


def facts_of(program, encodings):
    lines = "".join(f"A64 {4096 * n:x} {encoding}\n" for n, encoding in enumerate(encodings))
    out = subprocess.run([program], input=lines, check=True, capture_output=True, text=True).stdout
    return out.splitlines()


def is_runnable(encoding, facts):
    """No branches, exceptions, system registers, preloads, signatures; no access relative to the PC;
    no scalable vectors; no index that is shifted or of random sign."""
    word = int(encoding, 16)
    if re.search(r" (immediate|return|indirect|exception-return|svc|breakpoint|swinc|contextidr|"
                 r"privileged|wait)\b|^\d (barrier|preload|system)\b", facts) and \
            " undefined" not in facts:
        return False
    if " crc" in facts and word >> 12 & 0xf != 4 and word >> 12 & 0xf != 5:
        return False
    if word >> 25 & 15 in (0, 1, 2, 3):
        return False
    if word & 0xaf7e0c00 == 0x0e700800:  # across lanes, pairs: QEMU does not look at bit 22 of halves
        return False
    # FABS, FNEG and FSQRT of one half in a vector register: do not exist, and end QEMU 7.2 itself.
    if word & 0xdffffc00 == 0x5ef8f800 or word & 0xfffffc00 == 0x7ef9f800:
        return False
    if word & 0xbff8fc00 == 0x2f00fc00:  # an immediate of halves, negated: only QEMU knows it
        return False
    if word >> 24 & 0x3b == 0x18:  # relative to the PC
        return False
    if word >> 24 & 0x3b == 0x39 and word >> 10 & 0xfff > 255:  # far from its base
        return False
    return True


def address_registers(encoding, facts):
    """The registers of base and index, from where encodings have them; -1 for none."""
    word = int(encoding, 16)
    if " m:" not in facts:
        return -1, -1
    base, index = word >> 5 & 31, -1
    if word >> 24 & 0x3f in (0x38, 0x3c) and word >> 21 & 1 and word >> 10 & 3 == 2:
        index = word >> 16 & 31
    return base, index if index not in (base, 31) else -1


def sets(line):
    found = {"r": set(), "w": set(), "s": {"0"}}
    for label, names in re.findall(r" ([rws]):(\S+)", line):
        found[label] = {name.rstrip("'~!") for name in names.split(",")}
    return found


def difference(facts, outcome):
    """What happened and is not declared, as text."""
    if outcome in ("undefined", "fault"):
        return None
    if " undefined" in facts:
        return "it runs"
    declared, seen = sets(facts), sets(outcome)
    if seen["w"] - declared["w"]:
        return f"writes {sorted(seen['w'] - declared['w'])}"
    if seen["r"] - declared["r"]:
        return f"reads {sorted(seen['r'] - declared['r'])}"
    stored, (size,) = int(*seen["s"]), re.findall(r" m:\w+ (\d+)/", facts) or ["0"]
    if stored > int(size) or (stored != 0 and " m:load" in facts):
        return f"stores {stored} bytes"
    return None


def main(facts_program, qemu, observer, seed="1", verbose=None):
    encodings = list(dict.fromkeys(words(int(seed))))
    rows = [(encoding, facts) for encoding, facts
            in zip(encodings, facts_of(facts_program, encodings), strict=True)
            if is_runnable(encoding, facts)]
    lines = "".join("A64 {} {} {}\n".format(encoding, *address_registers(encoding, facts))
                    for encoding, facts in rows)
    outcomes = subprocess.run([qemu, "-cpu", "max,sve=off,sme=off", observer], input=lines, check=True,
                              capture_output=True, text=True).stdout.splitlines()
    wrong = ran = declared = not_run = 0
    unseen = []
    for (encoding, facts), outcome in zip(rows, outcomes, strict=True):
        ran += outcome.startswith("ran")
        not_run += outcome == "undefined" and " undefined" not in facts
        if outcome == "undefined" and " undefined" not in facts and verbose:
            print(f"{encoding}: does not run, but {facts}")
        problem = difference(facts, outcome)
        if problem:
            wrong += 1
            print(f"{encoding}: {problem}, but {facts}")
        if outcome.startswith("ran"):
            mine, seen = sets(facts), sets(outcome)
            for label in "rw":
                declared += len(mine[label])
                unseen += [f"{encoding}: {label}:{name} {facts}" for name in mine[label] - seen[label]]
    too_many = len(unseen) > declared // 12  # what random values do not show, as saturation
    print(f"{len(rows)} instructions, {ran} ran, {not_run} known ones did not, {wrong} wrong; of "
          f"{declared} registers {len(unseen)} were not seen" + (", too many:" if too_many else ""))
    if too_many or verbose:
        print(*unseen, sep="\n")
    return wrong > 0 or ran < 3000 or too_many


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:6]))
