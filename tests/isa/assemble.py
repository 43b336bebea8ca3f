"""Holds the encodings of forms.def against the GNU assembler: assemble.py FORMS ASSEMBLER OBJCOPY"""
import pathlib
import subprocess
import sys
import tempfile

SLOT = 16
HEAD = """.syntax unified
.arch armv7-a
.arch_extension mp
.arch_extension sec
.arch_extension virt
.arch_extension idiv
.fpu neon-vfpv4
"""


def assembled(assembler, objcopy, isa, texts):
    """The encodings of the instructions, as hexadecimal text, one each."""
    lines = [HEAD, ".arm" if isa == "A32" else ".thumb"]
    for text in texts:  # each in a slot of its own, so that all lengths are told apart
        lines += [f".balign {SLOT}, 0xee", text, *followers(text), ".byte 0xdd",
                  f".balign {SLOT}, 0xee"]
    with tempfile.TemporaryDirectory() as folder:
        source, built, raw = (pathlib.Path(folder) / name for name in ("t.s", "t.o", "t.bin"))
        source.write_text("\n".join(lines) + "\n")
        subprocess.run([assembler, "-mno-warn-deprecated", "-o", built, source], check=True)
        subprocess.run([objcopy, "-O", "binary", "-j", ".text", built, raw], check=True)
        code = raw.read_bytes()
    return [encoding(isa, code[i:i + SLOT], len(followers(text)))
            for i, text in zip(range(0, len(code), SLOT), texts, strict=True)]


def followers(text):
    """What an IT instruction needs behind it: NOPs under its conditions."""
    word, _, condition = text.partition(" ")
    opposite = {"eq": "ne", "ne": "eq"}
    if not word.startswith("it"):
        return []
    return ["nop" + (condition if letter == "t" else opposite[condition]) for letter in word[1:]]


def encoding(isa, code, n_followers):
    """The instruction at the start of a slot; each follower is two bytes long."""
    size = code.rindex(0xdd) - 2 * n_followers
    if size == 4 and isa == "T32":
        return code[1::-1].hex() + code[3:1:-1].hex()
    return code[size - 1::-1].hex()


def main(forms, assembler, objcopy):
    rows = [line.split("\t") for line in
            subprocess.run([forms, "list"], check=True, capture_output=True,
                           text=True).stdout.splitlines()]
    wrong = 0
    for isa in ("A32", "T32"):
        mine = [row for row in rows if row[1] == isa]
        encodings = assembled(assembler, objcopy, isa, [row[3] for row in mine])
        for (line, _, table, text), want in zip(mine, encodings):
            if table != want:
                print(f"forms.def:{line}: {text}: the table has {table}, the assembler {want}")
                wrong += 1
    print(f"{len(rows)} forms assembled, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
