"""Holds the decoder's register sets against execution: execute.py FACTS FORMS QEMU OBSERVER [SEED]

Every form of forms.def and random words of both instruction sets run under QEMU, each many times
with one register changed (see observer.c). No register may change that is not in `writes`, none may
matter that is not in `reads`, nothing may be stored beyond the bytes of memory, and what runs must
be known. For the forms, nearly all that is declared must have been seen as well.
"""
import random
import re
import subprocess
import sys

RANDOM_WORDS = 2000


def forms(program):
    for line in subprocess.run([program, "list"], check=True, capture_output=True,
                               text=True).stdout.splitlines():
        _, isa, encoding, text = line.split("\t")
        yield isa, encoding, text


def random_words(seed):
    generator = random.Random(seed)
    for _ in range(RANDOM_WORDS):
        yield "A32", f"{generator.getrandbits(28) | 0xe0000000:08x}", "random"
        yield "A32", f"{generator.getrandbits(25) | 0xf2000000:08x}", "random"  # NEON
        yield "A32", f"{generator.getrandbits(24) | 0xee000000:08x}", "random"  # VFP and the like
        half = generator.getrandbits(16)
        if half < 0xe800:
            yield "T32", f"{half:04x}", "random"
        top = generator.randrange(0xe800, 0x10000)
        yield "T32", f"{top << 16 | generator.getrandbits(16):08x}", "random"


def facts_of(program, instructions):
    """The decoder's line for each instruction."""
    # Addresses far apart: no instruction stands in the IT block of another.
    lines = "".join(f"{isa} {64 * n:x} {encoding}\n"
                    for n, (isa, encoding, _) in enumerate(instructions))
    out = subprocess.run([program], input=lines, check=True, capture_output=True, text=True).stdout
    return out.splitlines()


def is_runnable(isa, encoding, facts):
    """No branches, exceptions, waiting, changes of byte order, or what User mode may not do; no IT,
    which makes what follows conditional; no coprocessor but VFP and NEON, where QEMU knows others; and no index that a shift makes large,
    for a stray store."""
    if re.fullmatch("bf..|ba[89ab].|e10....7.", encoding):  # IT; HLT, which asks QEMU for things
        return False
    word = int(encoding, 16)
    if isa == "A32" and word >> 25 & 7 == 3 and not word >> 4 & 1 and \
            (word >> 5 & 3 or word >> 7 & 31 > 3):
        return False
    if re.match("[ef][cde].{3}[^ab]", encoding):
        return False
    return not re.search(r" (immediate|return|indirect|table|exception-return|svc|breakpoint|swinc|"
                         r"contextidr|privileged)\b|^\d (barrier|preload)|^\d system$", facts) and \
        "pc" not in re.sub(r".* r:", "", facts)


def address_registers(isa, encoding, facts):
    """The registers of base and index, from where encodings have them; -1 for none."""
    word = int(encoding, 16)
    if " m:" not in facts:
        return -1, -1
    if len(encoding) == 8:
        base, index = word >> 16 & 15, word & 15
        return base, index if index != base else -1
    if word >> 12 in (9, 11):
        return 13, -1
    if word >> 12 == 12:
        return word >> 8 & 7, -1
    base, index = word >> 3 & 7, word >> 6 & 7
    return base, index if word >> 12 == 5 and index != base else -1


def sets(line):
    found = {"r": set(), "w": set(), "s": {"0"}}
    for label, names in re.findall(r" ([rws]):(\S+)", line):
        found[label] = {name.rstrip("'~!") for name in names.split(",")}
    return found


def observed(qemu, observer, runnable):
    lines = "".join(f"{isa} {encoding} {base} {index}\n"
                    for isa, encoding, base, index in runnable)
    return subprocess.run([qemu, "-cpu", "cortex-a15", observer], input=lines, check=True,
                          capture_output=True, text=True).stdout.splitlines()


def difference(facts, outcome):
    """What happened and is not declared, as text."""
    if outcome == "undefined" or outcome == "fault":
        return None
    if " undefined" in facts:
        return "it runs"
    declared, seen = sets(facts), sets(outcome)
    if seen["w"] - declared["w"]:
        return f"writes {sorted(seen['w'] - declared['w'])}"
    # What stays of a register or of the flags that are written in part is not called a read: the
    # carry flag is one after a shift by no bits.
    partly = {"q"} | ({"flags"} if re.match(r"\d alu-shift", facts) else set()) | ({name for name in declared["w"] if name.startswith("d")}
                      if re.match(r"\d (vfp|neon-load|core-to-neon)", facts) else set())
    reads = seen["r"] - declared["r"] - (partly & declared["w"])
    if reads:
        return f"reads {sorted(reads)}"
    stored, (size,) = int(*seen["s"]), re.findall(r" m:\w+ (\d+)/", facts) or ["0"]
    if stored > int(size) or (stored != 0 and " m:load" in facts):
        return f"stores {stored} bytes"
    return None


def main(facts_program, forms_program, qemu, observer, seed="1"):
    instructions = list(forms(forms_program)) + list(random_words(int(seed)))
    rows = [(isa, encoding, text, facts) for (isa, encoding, text), facts
            in zip(instructions, facts_of(facts_program, instructions), strict=True)
            if is_runnable(isa, encoding, facts)]
    runnable = [(isa, encoding, *address_registers(isa, encoding, facts))
                for isa, encoding, _, facts in rows]
    wrong = ran = declared = 0
    unseen = []
    for (isa, encoding, text, facts), outcome in zip(rows, observed(qemu, observer, runnable),
                                                     strict=True):
        ran += outcome.startswith("ran")
        problem = difference(facts, outcome)
        if problem:
            wrong += 1
            print(f"{isa} {encoding} {text}: {problem}, but {facts}")
        if text != "random" and outcome.startswith("ran") and " ?" not in facts:
            mine, seen = sets(facts), sets(outcome)
            for label in "rw":
                declared += len(mine[label])
                unseen += [f"{text}: {label}:{name}" for name in mine[label] - seen[label]]
    too_many = len(unseen) > declared // 15  # what random values do not show, as saturation
    print(f"{len(rows)} instructions, {ran} ran, {wrong} wrong; of the forms' {declared} registers "
          f"{len(unseen)} were not seen" + (", too many:" if too_many else ""))
    if too_many:
        print(*unseen, sep="\n")
    return wrong > 0 or ran < 3000 or too_many


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
