"""Holds the decoder's scalable vectors against a disassembler that was written by others from the same manual.

usage: differ_sve.py FACTS llvm-mc|objdump PROGRAM [SEED]

What must agree of random words of the group: whether it is an instruction of SVE, SVE2, BF16, I8MM or the cryptography of
SVE2; which X, Z and P registers it uses, which of these governs it; whether it loads or stores, and how many bytes of memory
with vectors of 16 bytes.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

WORDS = 120000
FEATURES = "+sve2,+sve2-aes,+sve2-sm4,+sve2-sha3,+sve2-bitperm,+bf16,+i8mm,+fullfp16"
VECTOR = 16
SIZES = {"b": 1, "h": 2, "w": 4, "s": 4, "d": 8, "q": 16}

# SME, matrices of floating point, and what came with SVE2.1 or later, of which versions of objdump know some.
NOT_OURS = re.compile(r"(rdsvl|addsvl|addspl|fmmla|ld1ro|psel|revd|[su]clamp|(zip|uzp|trn)[12]\tz\d+\.q)")


def random_words(seed):
    """Every group has its share: the bits that say which it is are few."""
    generator = random.Random(seed)
    return [generator.getrandbits(32) & 0xe1ffffff | 0x04000000 for _ in range(WORDS)]


def by_llvm(program, words):
    """Word -> text; the others are no instructions."""
    text = "\n".join(" ".join(f"0x{byte:02x}" for byte in word.to_bytes(4, "little")) for word in words)
    found = {}
    for line in subprocess.run([program, "--disassemble", "-triple=aarch64", f"-mattr={FEATURES}", "-show-encoding"],
                               input=text, capture_output=True, text=True, check=False).stdout.splitlines():
        if match := re.match(r"\t(.*?)\s*// encoding: \[(.*)\]", line):
            found[int.from_bytes(bytes(int(byte, 16) for byte in match[2].split(",")), "little")] = match[1]
    return found


def by_objdump(program, words):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "words"
        file.write_bytes(b"".join(word.to_bytes(4, "little") for word in words))
        out = subprocess.run([program, "-D", "-z", "-b", "binary", "-m", "aarch64", file], check=True, capture_output=True,
                             text=True).stdout
    found = {}
    for match in re.finditer(r"^\s*[0-9a-f]+:\s+([0-9a-f]{8})\s+(.*)$", out, re.MULTILINE):
        if ".inst" not in match[2]:
            found[int(match[1], 16)] = re.split(r"\s*//", match[2])[0]
    return found


def are_later(objdump, texts):
    """Those of the texts that the assembler beside objdump refuses without extensions that came later."""
    assembler, march = objdump.removesuffix("objdump") + "as", "armv8-a" + FEATURES.replace("fullfp16", "fp16").replace(",", "")
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run([assembler, f"-march={march}", "-o", pathlib.Path(folder) / "words.o"],
                              input="\n".join(texts) + "\n", capture_output=True, text=True, check=False).stderr
    refused = {int(number) for number in re.findall(r"^\{standard input\}:(\d+): Error: ", said, re.MULTILINE)}
    return {text for number, text in enumerate(texts, 1) if number in refused}


def registers(text):
    """X, Z and P registers that are named."""
    mnemonic, _, operands = text.partition("\t")
    found = set()
    for bank, first, last in re.findall(r"\b([wxzpvbhsdq])(\d+)(?:\.[bhsdq])?(?:\[\d+\])?(?:\s?-\s?z(\d+))?", operands):
        for n in range((int(last) - int(first)) % 32 + 1 if last else 1):
            name = "p" if bank == "p" else "x" if bank in "wx" else "v"
            found.add(f"{name}{(int(first) + n) % 32}")
    if re.search(r"\bw?sp\b", operands):
        found.add("sp")
    if re.match(r"(rdffr|wrffr|setffr|ldff|ldnf)", mnemonic):
        found.add("ffr")
    return found


def governor(text):
    """That of "p0/m" and "p0/z"; where none has a mark, that of stores, reductions and the like."""
    mnemonic, _, operands = text.partition("\t")
    if match := re.search(r"\bp(\d+)/[mz]", operands):
        return f"p{match[1]}"
    names = re.findall(r"\bp(\d+)\b", operands)
    if not names or re.match(r"(while|zip|uzp|trn|rev|punpk|ptrue|pfalse|rdffr|wrffr|str|ldr|[su]?q?(inc|dec)p)", mnemonic):
        return None
    if re.match(r"movs?$", mnemonic) and len(names) == 2:
        return f"p{names[1]}"
    if re.match(r"(ptest|pnext|pfirst|sel)", mnemonic) and operands.startswith("p"):
        return f"p{names[0 if mnemonic == 'ptest' else 1]}"
    return f"p{names[0]}"


def memory(text):
    """The kind of access and its bytes."""
    mnemonic, _, operands = text.partition("\t")
    if "[" not in operands or not re.match(r"(ld|st)", mnemonic):
        return None
    kind = "load" if mnemonic.startswith("ld") else "store"
    if mnemonic in ("ldr", "str"):
        return kind, VECTOR if operands.startswith("z") else VECTOR // 8
    count, replicated, size = re.match(r"(?:ld|st)(?:ff|nf|nt)?([1-4])(rq|r)?s?([bhwd])$", mnemonic).groups()
    bytes_of = SIZES[size]
    if replicated or re.search(r"\[.*z\d", operands):
        return kind, 16 if replicated == "rq" else bytes_of
    return kind, int(count) * bytes_of * VECTOR // SIZES[re.search(r"\.([bhsdq])", operands)[1]]


class Facts:
    """What the decoder says, from a line of render.h."""

    def __init__(self, line):
        self.used, self.governor, self.memory, words = set(), None, None, line.split()
        self.undefined = "undefined" in words
        for word, following in zip(words, words[1:] + [""]):
            if word.startswith(("r:", "w:", "pr:", "pw:")):
                for name in word.partition(":")[2].split(","):
                    self.used.add(name.rstrip("'~!*"))
                    self.governor = name[:-1] if name.endswith("*") else self.governor
            elif word.startswith("m:"):
                self.memory = (word[2:], int(following.split("/")[0]))
        self.used.discard("flags")


def difference(text, facts):
    if text is None or facts.undefined:
        return None if (text is None) == facts.undefined else "whether it is an instruction"
    if registers(text) != facts.used:
        return f"registers {sorted(registers(text) ^ facts.used)}"
    if governor(text) != facts.governor:
        return f"the governing predicate {governor(text)}"
    return None if memory(text) == facts.memory else f"access {memory(text)}"


def main(program, kind, disassembler, seed="1"):
    words = list(dict.fromkeys(random_words(int(seed))))
    texts = (by_llvm if kind == "llvm-mc" else by_objdump)(disassembler, words)
    lines = subprocess.run([program], input="".join(f"A64 {4 * n:x} {word:08x}\n" for n, word in enumerate(words)), check=True,
                           capture_output=True, text=True).stdout.splitlines()
    wrong, facts = 0, {word: Facts(line.partition(" ")[2]) for word, line in zip(words, lines, strict=True)}
    unknown = sorted({text for word, text in texts.items() if facts[word].undefined})
    later = are_later(disassembler, unknown) if kind == "objdump" else set()
    for word, line in zip(words, lines, strict=True):
        text = texts.get(word)
        if text in later or text is not None and (NOT_OURS.match(text) or word & 0xfff0a000 == 0x05102000):  # CPY of bytes, shifted
            text = None
        problem = difference(text, facts[word])
        if problem:
            wrong += 1
            print(f"{word:08x} {text}: {problem}, but {line}")
    known = sum(word in texts for word in words)
    print(f"{len(words)} words, {known} of them instructions, {wrong} wrong")
    return wrong > 0 or known < WORDS // 4


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
