"""Compares the decoder with objdump, which others wrote from the same manual.

differ.py FACTS OBJDUMP program FILE   every instruction of a program
differ.py FACTS OBJDUMP random SEED    random words of both instruction sets

What must agree for each instruction: its length, where it branches and how, its condition, whether it
loads or stores and how many bytes, and which core and D registers it uses. Random words that one of
the two does not know are left out: objdump checks bits that cores ignore, and knows later
architectures. In a program there must be none.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"^\s*([0-9a-f]+):\s+([0-9a-f]{8}|[0-9a-f]{4}(?: [0-9a-f]{4})?)\s+(.*)$")
CONDITIONS = ["eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"]
ALIASES = {"sl": "r10", "fp": "r11", "ip": "r12", "hs": "cs", "lo": "cc"}
CORE = {f"r{n}" for n in range(13)} | {"sp", "lr", "pc"}

# Mnemonics that end like one with a condition, and have none.
WHOLE = {"teq", "svc", "smlal", "umlal", "movs", "muls", "smmls", "vmls", "vnmls", "vfms", "vfnms", "mls", "bics", "vcls",
         "vmlal", "vqdmlal", "rscs", "sbcs", "adcs", "lsls", "umlals", "smlals", "umulls",
         "smulls", "vcle", "vcge", "vcgt", "vclt", "vceq", "vacge", "vacgt", "setend", "mvns", "vabal",
         "vpadal", "bl", "vmsr", "vmrs", "hvc", "vtbl", "vrecpe", "vrsqrte", "smull", "umull",
         "cbnz", "vcle", "sel", "it", "wfe", "wfi", "sev", "teqp", "tstp", "vmull", "vqdmull"}


class Text:
    """What objdump says of an instruction."""

    def __init__(self, text):
        self.odd = re.search("(?i)unpredictable|illegal|UNDEF:|undefined \\(|<und>", text) is not None
        self.undefined = "UNDEFINED" in text
        body = re.split(r"\s*[@;]", text)[0].strip()
        mnemonic, _, self.operands = body.partition("\t")
        self.operands = self.operands.strip()
        self.mnemonic, _, self.types = mnemonic.strip().partition(".")
        self.types = self.types.replace(".w", "").replace(".n", "").strip("wn")
        self.condition = 14
        self.split_condition()

    def split_condition(self):
        tail = ALIASES.get(self.mnemonic[-2:], self.mnemonic[-2:])
        if self.mnemonic in WHOLE or len(self.mnemonic) < 3:
            return
        if tail == "al":
            self.mnemonic = self.mnemonic[:-2]
        if tail in CONDITIONS:
            self.condition = CONDITIONS.index(tail)
            self.mnemonic = self.mnemonic[:-2]

    def core_registers(self):
        names = re.findall(r"\b(r\d+|sl|fp|ip|sp|lr|pc)\b", self.operands)
        return {ALIASES.get(name, name) for name in names}

    def vector_registers(self):
        found = set()
        for bank, first, last in re.findall(r"\b([sdq])(\d+)(?:\[\d*\])?(?:-[sdq](\d+))?",
                                            self.operands):
            for n in range(int(first), int(last or first) + 1):
                found |= {"s": {n // 2}, "d": {n}, "q": {2 * n, 2 * n + 1}}[bank]
        return {f"d{n}" for n in found}


class Facts:
    """What the decoder says, from a line of render.h."""

    def __init__(self, line):
        self.size, _, rest = line.partition(" ")
        self.line, self.size, words = line, int(self.size), rest.split()
        self.words = set(words)
        self.used, self.condition, self.target, self.memory = set(), 14, None, None
        for word, following in zip(words, words[1:] + [""]):
            if word.startswith(("r:", "w:")):
                self.used |= {name.rstrip("'~!") for name in word[2:].split(",")}
            elif word.startswith("?"):
                self.condition = int(word[1:])
            elif word.startswith("@"):
                self.target = int(word[1:])
            elif word.startswith("m:"):
                self.memory = (word[2:], int(following.split("/")[0]))


def is_branch(text):
    return re.fullmatch(r"b|bl|blx|bx|bxj|cbn?z|tb[bh]", text.mnemonic) is not None


def implied(text):
    """Registers an instruction uses without naming them."""
    name = text.mnemonic
    registers = {"pc"} if is_branch(text) or name.startswith(("rfe", "eret", "adr")) else set()
    if name in ("bl", "blx") or name.startswith(("srs", "eret")):
        registers.add("lr")
    if name.startswith("eret"):
        registers.add("pc")
    if re.match(r"v?(push|pop)", name):
        registers.add("sp")
    return registers


def memory(text):
    """The kind and the bytes of a data access; None for no access, no bytes where text does not say."""
    name = text.mnemonic
    if name.startswith(("pld", "pli")) or not re.match(
            r"v?(ldr|str|ldm|stm|push|pop)|vld|vst|swp|tb[bh]$|f(ld|st)m|rfe|srs|ldc|stc", name):
        return None
    if name.startswith("swp"):
        return "swap", 1 if name.startswith("swpb") else 4
    kind = "load" if re.match(r"v?(ldr|ldm|pop|ld)|fld|tb|rfe", name) else "store"
    if re.match(r"(ldm|stm|push|pop)", name):
        return kind, 4 * len(re.findall(r"\w+", text.operands.partition("{")[2]))
    if re.match(r"(ldr|str)(ex)?", name):
        width = re.sub(r"^(ldr|str)(ex)?s?", "", name)[:1]
        return kind, {"b": 1, "h": 2, "d": 8}.get(width, 4)
    if re.match(r"v(ldr|str)$", name):
        return kind, 4 if text.operands.startswith("s") else 8
    if name in ("tbb", "tbh"):
        return kind, 1 if name == "tbb" else 2
    if re.match(r"v(ldm|stm|push|pop)", name):
        doubles = "{d" in text.operands
        lists = re.search(r"\{[sd](\d+)(?:-[sd](\d+))?", text.operands)
        first, last = lists[1], lists[2] or lists[1]
        return kind, (8 if doubles else 4) * (int(last) - int(first) + 1)
    if re.match(r"v(ld|st)\d", name):
        return kind, vector_bytes(text)
    return kind, None


def vector_bytes(text):
    n = int(text.mnemonic[3])
    if "[" in text.operands.partition("}")[0]:
        return n * int(text.types) // 8
    return 8 * len(text.vector_registers())


def branch_kind(text):
    name, operands = text.mnemonic, text.operands
    first = operands.split(",")[0].split(" ")[0]
    if name.startswith(("rfe", "eret")):
        return "exception-return"
    if name in ("b", "bl", "cbz", "cbnz") or (name == "blx" and first not in CORE | set(ALIASES)):
        return "immediate"
    if name in ("tbb", "tbh"):
        return "table"
    if name == "bx":
        return "return" if first == "lr" else "indirect"
    if name in ("blx", "bxj"):
        return "indirect"
    if name.startswith(("ldm", "pop")):
        if "pc" not in operands.partition("{")[2] and not (name == "pop" and "pc" in operands):
            return None
        if operands.endswith("^"):
            return "exception-return"
        pops = name == "pop" or (name in ("ldm", "ldmia", "ldmfd") and operands.startswith("sp!"))
        return "return" if pops else "indirect"
    if name == "ldr" and first == "pc":
        return "return" if re.match(r"pc, \[sp\], #", operands) else "indirect"
    if first != "pc" or name.startswith(("str", "cmp", "cmn", "tst", "teq", "mcr", "msr", "pld",
                                         "pli", "push", "stm", "v")):
        return None
    if name.endswith("s"):
        return "exception-return"
    return "return" if name == "mov" and operands == "pc, lr" else "indirect"


def compare(isa, address, size, text, facts):
    """The first disagreement, as text; None when there is none."""
    if facts.size != size:
        return "length"
    if text.odd:
        return None
    if text.undefined or "undefined" in facts.words or text.mnemonic == "udf":
        return None
    if text.condition != facts.condition:
        return f"condition {text.condition}"
    kind = branch_kind(text)
    for name in ("immediate", "return", "indirect", "table", "exception-return"):
        if (name in facts.words) != (name == kind):
            return f"branch {kind}"
    if kind == "immediate":
        target = int(re.split(r"[, ]+", text.operands)[-1 if "<" not in text.operands else -2], 16)
        if (target - address - facts.target) % 2**32 != 0:
            return f"target {target:#x}"
    access = memory(text)
    if (access is None) != (facts.memory is None):
        return f"access {access}"
    if access is not None and (access[0] != facts.memory[0] or
                               access[1] not in (None, facts.memory[1])):
        return f"access {access}"
    named = text.core_registers()
    if isa == "A32" and re.match(r"(ldr|str)d", text.mnemonic):  # names the first of two
        first = re.findall(r"\w+", text.operands)[0]
        number = int(ALIASES.get(first, first)[1:]) if first not in ("sp", "lr", "pc") else 12
        named.add("lr" if first == "sp" else "sp" if number == 12 else f"r{number + 1}")
    core = {name for name in facts.used if name in CORE}
    vector = {name for name in facts.used if re.fullmatch(r"d\d+", name)}
    if core != named | implied(text):
        return f"registers {sorted(named)}"
    if vector != text.vector_registers():
        return f"registers {sorted(text.vector_registers())}"
    return None


def disassembled(objdump, arguments):
    """Instructions as (isa, address, encoding, text)."""
    out = subprocess.run([objdump, *arguments], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        match = LINE.match(line)
        if match and not match[3].startswith("."):  # data among the code
            address, encoding, text = match.groups()
            isa = "A32" if len(encoding) == 8 else "T32"
            yield isa, int(address, 16), encoding.replace(" ", ""), text


def decoded(facts, instructions):
    lines = "".join(f"{isa} {address:x} {encoding}\n" for isa, address, encoding, _ in instructions)
    out = subprocess.run([facts], input=lines, check=True, capture_output=True, text=True).stdout
    return [Facts(line) for line in out.splitlines()]


def random_instructions(objdump, seed):
    """Random words; those of coprocessors that no ARMv7-A core has say nothing."""
    generator = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "words"
        file.write_bytes(generator.randbytes(160000))
        for force in ([], ["-M", "force-thumb"]):
            yield from disassembled(objdump, ["-D", "-b", "binary", "-m", "armv7", *force, file])


def is_skipped(isa, encoding, text):
    """Words of which objdump says something, but nothing to compare with: what is UNPREDICTABLE without
    its saying so, coprocessors that no ARMv7-A core has, and what it knows of other architectures."""
    word = int(encoding, 16)
    if isa == "A32" and word >> 28 != 15 and word >> 23 & 0x1f == 2 and not word >> 20 & 1 and \
            re.match(r"tst|teq|cmp|cmn", text.mnemonic):
        return True  # what stands in their place when they set no flags, with bits that should not be
    if isa == "A32" and word >> 28 != 15 and word >> 23 & 0x1f == 6 and not word >> 20 & 1:
        return True  # MSR of an immediate, the same
    if len(encoding) == 8 and word >> 28 >= (14 if isa == "T32" else 0) and \
            (word >> 25 & 7 == 6 or word >> 24 & 15 == 14) and word >> 9 & 7 != 5:
        return True
    if text.mnemonic in ("bxns", "blxns", "clrm", "nop") or text.operands.endswith("{}"):
        return True  # of other architectures; nothing; no list
    if isa == "A32" and text.mnemonic == "msr" and word >> 4 & 15 != 0:
        return True  # BXJ and STRH, with bits that should not be
    if isa == "T32" and re.match(r"rev|rbit|clz", text.mnemonic) and word & 15 != word >> 16 & 15:
        return True  # both places of the source should be the same
    if isa == "T32" and "pc" in re.sub(r"[\[{].*", "", text.operands) and \
            not re.match(r"(add|mov|ldr|bx|blx|subs)$", text.mnemonic):
        return True
    if re.match("pl[di]", text.mnemonic) and re.search(r"\]!|\],|#\d", text.operands):
        return True  # forms of loads of the PC that are no preloads
    if re.match("v|mrc", text.mnemonic) and re.match(r"(\w+, )?pc,|10, |11, ", text.operands):
        return True
    if text.mnemonic.startswith("srs") and not text.operands.startswith("sp"):
        return True
    if re.match(r"(ldr|str)e?x?d", text.mnemonic) and re.match(r"(\w+, )?(sp, \[|lr|pc|\w+, pc)", text.operands):
        return True
    if re.search(r"\[pc.*(\]!|\],|\}, )", text.operands):
        return True
    return any(int(n) > 31 for n in re.findall(r"\b[sd](\d+)\b", text.operands))


def main(facts, objdump, what, argument):
    if what == "random":
        instructions = list(random_instructions(objdump, argument))
    else:
        instructions = list(disassembled(objdump, ["-d", argument]))
    wrong = compared = 0
    for (isa, address, encoding, text), mine in zip(instructions,
                                                    decoded(facts, instructions), strict=True):
        theirs = Text(text)
        difference = compare(isa, address, len(encoding) // 2, theirs, mine)
        compared += not theirs.odd
        if difference is not None and not is_skipped(isa, encoding, theirs):
            wrong += 1
            if wrong <= 40000:
                print(f"{isa} {encoding} {text!r}: {difference}, but {mine.line}")
    print(f"{compared} instructions, {wrong} differences")
    return wrong > 0 or compared < 50000


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
