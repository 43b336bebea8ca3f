"""Holds the decoder of A64 against objdump, which was written by others from the same manual.

differ_a64.py FACTS OBJDUMP program FILE...   every distinct instruction of programs
differ_a64.py FACTS OBJDUMP random SEED       random words

What must agree for each instruction: whether it is one, where it branches and how, whether it loads
or stores and how many bytes, and which X and V registers it uses. Of the scalable vector extension,
which the decoder knows coarsely, only whether it loads or stores. objdump knows a few later
additions (NOT_OURS): in random words these are left out, in programs they must be undefined.
"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"^\s*([0-9a-f]+):\s+([0-9a-f]{8})\s+(.*)$")
RANDOM_WORDS = 100000
LOAD_BYTES = {"b": 1, "h": 2, "sb": 1, "sh": 2, "sw": 4}
SCALAR_BYTES = {"b": 1, "h": 2, "s": 4, "d": 8, "q": 16, "w": 4, "x": 8}
ATOMIC = r"(?:cas|swp|(?:ld|st)(?:add|clr|eor|set|[su]max|[su]min))a?l?([bh]?)"

# Later additions, of which each version of objdump knows more: memory copies, SME, transactional memory; 128-bit system
# registers and atomics, RCPC 3, checked pointers, look-up tables, 8-bit floats (from 2.42 on).
NOT_OURS = re.compile(r"(cpy|set[pme]|setg|wkdm|tstart|tcommit|ttest|tcancel|bfm(op|mla)|"
                      r"smstart|smstop|rdsvl|adds[vp]l|[bsuf]{1,2}mop[as]|mova|zero|(st|ld)r\tza\[|chkfeat|"
                      r"mrrs|msrr|sysp|rcw|(ldclr|ldset|swp)p(al?|l)?\t|(ldiapp|stilp)\t|(stlur|ldapur)\t[bhsdq]\d|"
                      r"m(add|sub)pt|(add|sub)pt\t|luti[24]|fam(ax|in)|fscale|fdot|[bf][12]?cvtl2?\tv\d+\.8h, v\d+\.(8|16)b|"
                      r"fcvtn2?\tv\d+\.(8|16)b)")


class Text:
    """What objdump says of an instruction."""

    def __init__(self, text):
        body = re.split(r"\s*(?://|;)\s", text)[0].strip()
        self.is_later = NOT_OURS.match(body) is not None
        self.undefined = ".inst" in text or body.startswith("udf")
        self.note = text[len(body):]
        self.mnemonic, _, self.operands = body.partition("\t")
        self.mnemonic, self.operands = self.mnemonic.strip(), self.operands.strip()
        self.operands = re.sub(r"<.*>", "", self.operands)
        self.operands = re.sub(r"\bs\d_\d_c\d+_c\d+_\d\b", "", self.operands)  # a system register
        self.scalable = re.search(r"\b[zp]\d+(\.[bhsdq])?\b|\bza|\bpn\d", self.operands) is not None or \
            re.match(r"(cnt[bhwdp]$|[su]?q?(inc|dec)[bhwdp]$|adds?[vp]l|rdvl|rdffr|wrffr|setffr|"
                     r"pfalse|ctermeq|ctermne|[lh]d[14])", self.mnemonic) is not None

    def registers(self):
        found = set()
        operands = self.operands
        if self.branch() == "immediate" or self.mnemonic in ("adr", "adrp"):
            operands = re.sub(r"[0-9a-f]+ *$", "", operands)
        for bank, first, last in re.findall(
                r"\b([xwbhsdqv])(\d+)(?:\.\w+)?(?:\[\d+\])?(?:-v(\d+)\.)?", operands):
            n_registers = (int(last) - int(first)) % 32 + 1 if last else 1
            found |= {("x" if bank in "xw" else "v") + str((int(first) + n) % 32)
                      for n in range(n_registers)}
        if re.search(r"\bw?sp\b", self.operands):
            found.add("sp")
        return found | self.implied()

    def implied(self):
        name = self.mnemonic
        if re.match(r"reta[ab]", name):
            return {"x30", "sp"}
        if name in ("bl", "blr", "xpaclri") or name.startswith("blra") or (name == "ret" and not self.operands):
            return {"x30"}
        if re.match(r"(pac|aut)i[ab]sp$", name):
            return {"x30", "sp"}
        if re.match(r"(pac|aut)i[ab]z$", name):
            return {"x30"}
        if re.match(r"(pac|aut)i[ab]1716$", name):
            return {"x16", "x17"}
        if name.startswith("ereta"):
            return {"sp"}
        if re.match(r"(ld|st)64b", name):
            first = int(re.search(r"x(\d+), \[", self.operands)[1])
            return {f"x{n}" for n in range(first, first + 8)}
        return set()

    def branch(self):
        name = self.mnemonic
        if re.match(r"(b|bl|cbn?z|tbn?z|bc?\.\w+)$", name):
            return "immediate"
        if re.match(r"ret", name):
            return "return"
        if re.match(r"(eret|drps)", name):
            return "exception-return"
        return "indirect" if re.match(r"(br|blr)(a[ab]z?)?$", name) else None

    def memory(self):
        """The kind and the bytes of the access, or None."""
        name = self.mnemonic
        if re.match(r"dc$", name) and re.match(r"(gz|z)va", self.operands):
            return "store", 64
        if re.match(r"ldr(sw)?$", name) and "[" not in self.operands:
            return "load", self.bytes()
        if "[" not in self.operands or re.match(r"(prf|pacga|st2?g$|stgm|ldg$|ldgm|stzgm)", name) or \
                re.match(r"[^\[]*\bv\d+\.\w+\[\d+\]$", self.operands) or \
                re.search(r"\[(\d+)\]$", self.operands) and not re.search(r"\[(x|sp)", self.operands):
            return None
        if not re.search(r"\[(x|sp)", self.operands):
            return None
        return self.kind(), self.bytes()

    def kind(self):
        if re.match(ATOMIC + r"$|casp", self.mnemonic):
            return "swap"
        return "load" if self.mnemonic.startswith("ld") else "store"

    def bytes(self):
        name = self.mnemonic
        if match := re.match(r"(?:ld|st)([1-4])(r?)$", name):
            return self.structure(int(match[1]), match[2] == "r")
        if re.match(r"(ld|st)64b", name):
            return 64
        if name in ("stzg", "stz2g"):
            return 16 if name == "stzg" else 32
        if name == "stgp":
            return 16
        if name == "ldraa" or name == "ldrab":
            return 8
        width = SCALAR_BYTES.get(self.data()[0], 8)
        if name.startswith("casp"):
            return 2 * width
        if match := re.match(ATOMIC + "$", name):
            return {"b": 1, "h": 2}.get(match[1], width)
        if name == "ldpsw":
            return 8
        if re.match(r"(ldn?p|stn?p|ld?a?xp|sta?l?xp|ldaxp|stlxp)$", name):
            return 2 * width
        suffix = re.search(r"(sb|sh|sw|b|h)$", name)
        return LOAD_BYTES[suffix[1]] if suffix else width

    def data(self):
        """The first register that is transferred; stores exclusive have a status ahead of it."""
        names = re.findall(r"\b[xwbhsdq](?:\d+|zr)", self.operands.split("[")[0])
        return names[1] if re.match(r"stl?x", self.mnemonic) else names[0] if names else "x"

    def structure(self, n, replicates):
        registers, _, _ = self.operands.partition("}")
        lanes, width = re.search(r"\.(\d*)([bhsd])", registers).groups()
        n_registers = len(Text("x\t" + registers).registers())
        if replicates or re.match(r"\[", self.operands.partition("}")[2]):
            return n * SCALAR_BYTES[width]
        return n_registers * int(lanes) * SCALAR_BYTES[width]


class Facts:
    """What the decoder says, from a line of render.h."""

    def __init__(self, line):
        _, _, rest = line.partition(" ")
        self.line, words = line, rest.split()
        self.words, self.used, self.target, self.memory = set(words), set(), None, None
        for word, following in zip(words, words[1:] + [""]):
            if word.startswith(("r:", "w:")):
                self.used |= {name.rstrip("'~!") for name in word[2:].split(",")}
            elif word.startswith("@"):
                self.target = int(word[1:])
            elif word.startswith("m:"):
                self.memory = (word[2:], int(following.split("/")[0]))
        self.used.discard("flags")


def compare(address, text, facts):
    """The first disagreement, as text; None when there is none."""
    undefined = "undefined" in facts.words
    if text.is_later and (undefined or text.mnemonic == "chkfeat"):  # chkfeat: a hint, as all reserved ones are
        return None
    if text.undefined or undefined:
        return None if text.undefined == undefined else "whether it is an instruction"
    kind = text.branch()
    for name in ("immediate", "return", "indirect", "exception-return"):
        if (name in facts.words) != (name == kind):
            return f"branch {kind}"
    if kind == "immediate":
        target = int(re.split(r"[, ]+", text.operands.strip())[-1], 16)
        if (target - address - facts.target) % 2**64 != 0:
            return f"target {target:#x}"
    if text.scalable:
        return None
    if text.memory() != facts.memory:
        return f"access {text.memory()}"
    if text.registers() != facts.used:
        return f"registers {sorted(text.registers())}"
    return None


def is_skipped(encoding, text):
    """Random words of which objdump says more or less than the manual."""
    word = int(encoding, 16)
    group = word >> 25 & 15
    if group in (0, 2):
        return True  # SME; what is undefined of SVE
    if word >> 24 & 0x3f == 8 and word >> 21 & 1 == 0 or word >> 24 & 0x3f == 8 and word >> 29 > 3:
        return True  # exclusive and ordered accesses: objdump wants should-be-one bits to be ones
    if word >> 20 == 0xd50 or word >> 20 == 0xd52:
        return word >> 19 & 1 == 0  # MRS and MSR with op0 0, which is nothing
    if word >> 25 & 0x7f == 0x34 and word >> 22 & 1 and text.undefined:
        return True  # LDPSW twice to one register, or to its base: UNPREDICTABLE
    if re.match("fml[as]l|st64bv", text.mnemonic):
        return True  # objdump takes reserved sizes and odd registers, too
    return text.is_later


def disassembled(objdump, arguments):
    """Instructions as (address, encoding, text)."""
    out = subprocess.run([objdump, *arguments], check=True, capture_output=True, text=True).stdout
    for line in out.splitlines():
        match = LINE.match(line)
        if match and ".word" not in line:
            yield int(match[1], 16), match[2], match[3]


def random_words(objdump, seed):
    """Random words: one in eight is reserved, and every group has its share."""
    generator = random.Random(int(seed))
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "words"
        file.write_bytes(generator.randbytes(4 * RANDOM_WORDS))
        yield from disassembled(objdump, ["-D", "-z", "-b", "binary", "-m", "aarch64", file])


def distinct(objdump, programs):
    seen = set()
    for program in programs:
        before = len(seen)
        for address, encoding, text in disassembled(objdump, ["-d", "-z", program]):
            if encoding not in seen:
                seen.add(encoding)
                yield address, encoding, text
        if len(seen) == before:
            sys.exit(f"{program}: objdump finds no instructions in it")


def main(facts, objdump, what, *arguments):
    instructions = list(random_words(objdump, *arguments) if what == "random" else
                        distinct(objdump, arguments))
    lines = "".join(f"A64 {address:x} {encoding}\n" for address, encoding, _ in instructions)
    out = subprocess.run([facts], input=lines, check=True, capture_output=True, text=True).stdout
    wrong = compared = 0
    for (address, encoding, text), mine in zip(instructions, out.splitlines(), strict=True):
        theirs = Text(text)
        if what == "random" and is_skipped(encoding, theirs):
            continue
        compared += 1
        difference = compare(address, theirs, Facts(mine))
        if difference is not None:
            wrong += 1
            print(f"{encoding} {text!r}: {difference}, but {mine}")
    print(f"{compared} instructions, {wrong} differences")
    return wrong > 0 or compared < 20000


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
