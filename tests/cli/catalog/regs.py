"""armpmu regs: what it says, byte for byte, and what assemblers and the manuals say to it.

usage: regs.py ARMPMU SOURCE_ROOT [--update]

With --update the golden files are written instead; read the difference before you commit it.
"""

import json
import os
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[2] / "directed"))
from cores import with_pmuv3  # noqa: E402
from terminal import shown_on  # noqa: E402

ARMPMU, ROOT = sys.argv[1], Path(sys.argv[2])
GOLDEN_FOLDER = Path(__file__).resolve().parent / "golden" / "regs"

# Golden file, and the words behind "armpmu regs".
GOLDEN = [
    ("list", ["cortex-a8"]),
    ("list-routes", ["xscale1"]),
    ("show", ["cortex-a8", "PMNC"]),
    ("show-selected", ["cortex-a8", "PMXEVTYPER"]),
    ("show-element", ["cortex-a8", "evtsel2"]),
    ("show-array", ["xscale1", "PMN"]),
    ("show.json", ["-j", "xscale1", "PMN1"]),
    ("decode", ["decode", "cortex-a8", "PMNC", "0x41002009"]),
    ("decode-architecture-name", ["decode", "cortex-a8", "pmcr", "1090527241"]),
    ("decode-reserved", ["decode", "cortex-a8", "PMNC", "0x41003449"]),
    ("decode-color", ["--color", "always", "decode", "cortex-a8", "PMNC", "0x40"]),
    ("decode-event", ["decode", "cortex-a8", "EVTSEL2", "0x03"]),
    ("decode-reserved-event", ["decode", "cortex-a8", "EVTSEL", "0x13"]),
    ("decode-four-events", ["decode", "xscale2", "EVTSEL", "0xff010203"]),
    ("decode-events-in-control", ["decode", "xscale1", "PMNC", "0x00b07001"]),
    ("decode-count", ["decode", "cortex-a8", "CCNT", "0b1111101000"]),
    ("decode.json", ["-j", "decode", "cortex-a8", "EVTSEL2", "0x103"]),
    ("encode.json", ["--format=json", "encode", "cortex-a8", "EVTSEL", "SEL=L1D_CACHE"]),
    ("asm", ["asm", "cortex-a8", "PMNC"]),
    ("asm-operand", ["asm", "cortex-a8", "PMNC", "r3"]),
    ("asm-selected", ["asm", "cortex-a8", "EVTSEL2"]),
    ("asm-bank", ["asm", "cortex-a8", "EVTSEL"]),
    ("asm-write-only", ["asm", "cortex-a8", "SWINCR"]),
    ("asm-memory-too", ["asm", "amuv1", "AMEVTYPER02_EL0"]),
    ("asm-a32-only", ["asm", "amuv1", "AMEVCNTR19", "r4"]),
    ("asm-memory-only", ["asm", "amuv1", "AMSCR"]),
    ("asm.json", ["-j", "asm", "amuv1", "AMEVTYPER02", "x7"]),
    ("asm-selected.json", ["-j", "asm", "cortex-a8", "EVTSEL2"]),
    ("help", ["--help"]),
]

# Words behind "armpmu regs", and the only line of standard output.
ENCODED = [
    ("cortex-a8 PMNC E=1,D=1", "0x41002009"),
    ("cortex-a8 PMNC E=1 D=1", "0x41002009"),
    ("cortex-a8 PMCR e=0x1,P=0b1,C=1", "0x41002007"),
    ("cortex-a8 PMNC", "0x41002000"),
    ("cortex-a8 PMNC N=4,IMP=0x41", "0x41002000"),
    ("cortex-a8 CNTENS C=1,P0=1", "0x80000001"),
    ("cortex-a8 CNTENC P3=1", "0x00000008"),
    ("cortex-a8 EVTSEL SEL=L1D_CACHE_REFILL", "0x00000003"),
    ("cortex-a8 EVTSEL3 SEL=cache-misses", "0x00000003"),
    ("cortex-a8 EVTSEL SEL=0x72", "0x00000072"),
    ("cortex-a8 CCNT CCNT=4294967295", "0xffffffff"),
    ("xscale1 PMNC evtCount1=0xb,evtCount0=7,E=1", "0x00b07001"),
    ("xscale2 EVTSEL evtCount3=COUNTER_OFF", "0xff000000"),
    ("amuv1 AMEVCNTR02_EL0 ACNT=0xffffffffffffffff", "0xffffffffffffffff"),
    ("amuv1 AMCFGR_EL0 N=6,NCG=1", "0x11003f06"),
]

SEE = "'armpmu regs --help' has examples"
# Words behind "armpmu regs", and what is said about them.
REFUSED = [
    ("PMNC", "'PMNC' is a register: name its core first, as in 'armpmu regs cortex-a8 PMNC'"),
    ("xscale3", "'xscale3' is not a core, nor decode, encode or asm; did you mean xscale1 or xscale2?"),
    ("decod cortex-a8", "'decod' is not a core, nor decode, encode or asm; did you mean decode?"),
    ("zzzzzz", "'zzzzzz' is not a core, nor decode, encode or asm; 'armpmu list core' lists them"),
    ("decode xscale3 PMNC 1", "'xscale3' is not a core; did you mean xscale1 or xscale2?"),
    ("decode PMNC CCNT 1", "'PMNC' is not a core; 'armpmu list core' lists them"),
    ("cortex-a8 PMNX", "'PMNX' is not a register of cortex-a8; did you mean PMNC, PMNXSEL or "
     "PMCNT?"),
    ("cortex-a8 zzzzz", "'zzzzz' is not a register of cortex-a8; 'armpmu regs cortex-a8' lists them"),
    ("decode cortex-a8 EVTSEL4 1", "'EVTSEL4': EVTSEL of cortex-a8 has elements 0 to 3"),
    ("asm amuv1 AMEVCNTR04_EL0", "'AMEVCNTR04_EL0': AMEVCNTR0<n>_EL0 of amuv1 has elements 0 to 3"),
    ("asm amuv1 AMEVCNTR116", "'AMEVCNTR116': AMEVCNTR1<n>_EL0 of amuv1 has elements 0 to 15"),
    ("decode cortex-a8 PMNC 0x100000000", "'0x100000000' does not fit PMNC of cortex-a8, which has "
     "32 bits: at most 0xffffffff"),
    ("decode amuv1 AMEVCNTR00_EL0 0x10000000000000000", "'0x10000000000000000' does not fit "
     "AMEVCNTR0<n>_EL0 of amuv1, which has 64 bits: at most 0xffffffffffffffff"),
    ("decode amuv1 AMEVCNTR00_EL0 18446744073709551616", "'18446744073709551616' does not fit "
     "AMEVCNTR0<n>_EL0 of amuv1, which has 64 bits: at most 0xffffffffffffffff"),
    ("decode cortex-a8 PMNC 12z", "'12z' is not a number; write a value like 0x2009, 0b1001 or 8201"),
    ("decode cortex-a8 PMNC 0x", "'0x' is not a number; write a value like 0x2009, 0b1001 or 8201"),
    ("decode cortex-a8 PMNC 0b12", "'0b12' is not a number; write a value like 0x2009, 0b1001 or "
     "8201"),
    ("decode cortex-a8 PMNC", f"regs decode needs a core, a register and a value; {SEE}"),
    ("encode cortex-a8", f"regs encode needs a core and a register; {SEE}"),
    ("asm", f"regs asm needs a core and a register; {SEE}"),
    ("decode cortex-a8 PMNC 1 2", f"'2' is one argument too many; {SEE}"),
    ("asm cortex-a8 PMNC r0 r1", f"'r1' is one argument too many; {SEE}"),
    ("cortex-a8 PMNC CCNT", f"'CCNT' is one argument too many; {SEE}"),
    ("encode cortex-a8 PMNC E=2", "PMNC.E '2' does not fit its 1 bit: at most 0x1"),
    ("encode cortex-a8 EVTSEL SEL=0x100", "EVTSEL.SEL '0x100' does not fit its 8 bits: at most 0xff"),
    ("encode cortex-a8 CCNT CCNT=99999999999999999999", "CCNT.CCNT '99999999999999999999' does not "
     "fit its 32 bits: at most 0xffffffff"),
    ("encode cortex-a8 PMNC N=3", "PMNC.N '3': read-only, it is 0x4 on cortex-a8; leave it out"),
    ("encode cortex-a8 PMNC E", "'E' is not FIELD=VALUE"),
    ("encode cortex-a8 PMNC E=1,,D=1", "'' is not FIELD=VALUE"),
    ("encode cortex-a8 PMNC F=1", "PMNC of cortex-a8 has no field 'F'; it has IMP, IDCODE, N, DP, X, "
     "D, C, P, E"),
    ("encode cortex-a8 PMNC IDCOD=0", "PMNC of cortex-a8 has no field 'IDCOD'; did you mean IDCODE?"),
    ("encode cortex-a8 PMNC E=1,E=0", "PMNC.E is given twice"),
    ("encode cortex-a8 PMNC E=on", "PMNC.E 'on': not a number; write one like 0x1f, 0b11111 or 31"),
    ("encode cortex-a8 PMNXSEL SEL=CPU_CYCLES", "PMNXSEL.SEL 'CPU_CYCLES': not a number; write one "
     "like 0x1f, 0b11111 or 31"),
    ("encode cortex-a8 EVTSEL SEL=L1D_CACHY", "EVTSEL.SEL 'L1D_CACHY': neither a number nor an event "
     "of cortex-a8; did you mean L1D_CACHE or L1I_CACHE?"),
    ("encode cortex-a8 EVTSEL SEL=zzzzz", "EVTSEL.SEL 'zzzzz': neither a number nor an event of "
     "cortex-a8; 'armpmu list' shows the events of a core"),
    ("asm cortex-a8 PMNC r13", "'r13' cannot be the operand of an access to PMNC of cortex-a8; "
     "choose from r0 to r12 and r14"),
    ("asm cortex-a8 PMNC x3", "'x3' cannot be the operand of an access to PMNC of cortex-a8; choose "
     "from r0 to r12 and r14"),
    ("asm cortex-a8 PMNC r", "'r' cannot be the operand of an access to PMNC of cortex-a8; choose "
     "from r0 to r12 and r14"),
    ("asm amuv1 AMEVCNTR00_EL0 r12", "'r12' cannot be the operand of an access to AMEVCNTR0<n>_EL0 "
     "of amuv1; choose from r0 to r11, and x0 to x30"),
    ("asm amuv1 AMCR_EL0 x31", "'x31' cannot be the operand of an access to AMCR_EL0 of amuv1; choose "
     "from r0 to r12, r14, and x0 to x30"),
    ("asm amuv1 AMSCR r3", "'r3': AMSCR of amuv1 is in memory only and takes no register; leave it "
     "out"),
    ("--format=md cortex-a8 PMNC", "--format md prints the whole page of a core: leave out 'PMNC'"),
    ("--format=md decode cortex-a8 PMNC 1", "--format md prints the whole page of a core: leave out "
     "'decode'"),
    ("--format=xml", "--format 'xml': there are text, csv, json and md"),
    ("--color=red", "--color 'red': there are auto, always and never"),
    ("--bogus", "regs: unknown option --bogus; 'armpmu help regs' lists them"),
    ("decode cortex-a8 CCNT -1", "regs: unknown option -1; 'armpmu help regs' lists them"),
    ("-jq", "regs: unknown option -q; 'armpmu help regs' lists them"),
    ("--machine", "regs: --machine needs a value; see 'armpmu help regs'"),
    ("--machine=nope", "no machine is called 'nope'; 'armpmu list machine' lists them, and "
     "a file is given as ./NAME.ini"),
]

# Instruction and opcode, both written by hand from the encodings of MRC, MCR, MRRC, MCRR, LDC and STC
# in the architecture manual and the words of Intel's: words behind "armpmu regs asm", then reads and
# writes in the order of printing.
A32 = [
    ("cortex-a8 PMNC", [0xee190f1c, 0xee090f1c]),
    ("cortex-a8 PMNC r3", [0xee193f1c, 0xee093f1c]),
    ("cortex-a8 CNTENC r14", [0xee19ef5c, 0xee09ef5c]),
    ("cortex-a8 SWINCR", [0xee090f9c]),
    ("cortex-a8 CCNT", [0xee190f1d, 0xee090f1d]),
    ("cortex-a8 EVTSEL2", [0xee190f3d, 0xee090f3d]),
    ("cortex-a8 PMCNT", [0xee190f5d, 0xee090f5d]),
    ("cortex-a8 INTENC 12", [0xee19cf5e, 0xee09cf5e]),
    ("cortex-r4f nVALIRQENS", [0xee1f0f11, 0xee0f0f11]),
    ("cortex-r4f VALEDBGRQENC", [0xee1f0ff1, 0xee0f0ff1]),
    ("cortex-r4f CFLR", [0xee1f0f13, 0xee0f0f13]),
    ("xscale2 PMNC", [0xee100e11, 0xee000e11]),
    ("xscale2 FLAG", [0xee150e11, 0xee050e11]),
    ("xscale2 EVTSEL", [0xee180e11, 0xee080e11]),
    ("xscale2 PMN3", [0xee130e12, 0xee030e12]),
    ("xscale1 PMN1", [0xee130e10, 0xee030e10, 0xed803e00, 0xed903e00]),
    ("xscale1 CCNT r5", [0xee115e10, 0xee015e10, 0xed851e00, 0xed951e00]),
    ("amuv1 AMEVTYPER02 r0", [0xee1d0f56]),
    ("amuv1 AMEVCNTR02 r0", [0xec510f20, 0xec410f20]),
    ("amuv1 AMEVCNTR19 r4", [0xec554f15, 0xec454f15]),
]
A64 = [
    ("amuv1 AMCR_EL0 x0", [0xd53bd200, 0xd51bd200]),
    ("amuv1 AMCFGR_EL0 x0", [0xd53bd220]),
    ("amuv1 AMEVCNTR02_EL0 x7", [0xd53bd447, 0xd51bd447]),
    ("amuv1 AMEVCNTR19_EL0 x30", [0xd53bdd3e, 0xd51bdd3e]),
    ("amuv1 AMEVCNTVOFF115_EL2 x0", [0xd53cdbe0, 0xd51cdbe0]),
]

ASSEMBLERS = {
    "A32": [("arm-none-eabi-", ["-march=armv8-a"]), ("arm-linux-gnueabihf-", ["-march=armv8-a"])],
    "T32": [("arm-none-eabi-", ["-march=armv8-a", "-mthumb"]),
            ("arm-linux-gnueabihf-", ["-march=armv8-a", "-mthumb"])],
    "A64": [("aarch64-linux-gnu-", ["-march=armv8.6-a"])],
}


def run(*words, stdout=subprocess.PIPE, **environment):
    clean = {key: value for key, value in os.environ.items() if not key.startswith("ARMPMU")}
    return subprocess.run([ARMPMU, "regs", *words], stdout=stdout, stderr=subprocess.PIPE, text=True,
                          env={**clean, **environment}, check=False)


def output(*words):
    answer = run(*words)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def cores():
    listed = subprocess.run([ARMPMU, "list", "core", "-j"], capture_output=True, check=True)
    return [core["CoreName"] for core in map(json.loads, listed.stdout.splitlines())]


def opcodes(prefix, options, text):
    """The words of an assembled text; of Thumb the two halfwords in the manual's order."""
    with tempfile.TemporaryDirectory() as folder:
        object_file, binary = Path(folder, "a.o"), Path(folder, "a.bin")
        subprocess.run([prefix + "as", *options, "-o", object_file, "-"], input=text, text=True,
                       check=True, stderr=subprocess.PIPE)
        subprocess.run([prefix + "objcopy", "-O", "binary", "-j", ".text", object_file, binary],
                       check=True)
        code = binary.read_bytes()
    words = [int.from_bytes(code[i:i + 4], "little") for i in range(0, len(code), 4)]
    if "-mthumb" in options:
        words = [(word & 0xffff) << 16 | word >> 16 for word in words]
    return words


class Texts(unittest.TestCase):
    maxDiff = None

    def test_text_is_the_golden_one(self):
        for name, words in GOLDEN:
            with self.subTest(name):
                file = GOLDEN_FOLDER / (name if "." in name else f"{name}.txt")
                self.assertEqual(file.read_text(encoding="ascii"), output(*words))

    def test_the_document_shows_what_is_printed(self):
        shown = {}
        for line in (ROOT / "docs" / "decoding.md").read_text(encoding="utf-8").splitlines():
            if line.startswith("    $ armpmu regs "):
                command = line.removeprefix("    $ armpmu regs ")
                shown[command] = ""
            elif line.startswith("    "):
                shown[command] += line.removeprefix("    ") + "\n"
        self.assertGreater(len(shown), 5)
        for command, text in shown.items():
            self.assertEqual(text, output(*command.split()))

    def test_no_golden_file_is_left_over(self):
        names = {name if "." in name else f"{name}.txt" for name, _ in GOLDEN}
        self.assertEqual(names, {file.name for file in GOLDEN_FOLDER.iterdir()})

    def test_without_a_core_the_default_one_is_listed_and_the_others_named(self):
        own = output("cortex-a8")
        answer = output()
        self.assertTrue(answer.startswith(own + "\n"))
        self.assertTrue(answer.endswith(", ".join(cores()) + "\n"), answer)
        self.assertEqual(output("-j", "cortex-a8"), output("-j"))
        self.assertEqual(own, output("armv7_cortex_a8"))
        self.assertEqual(answer, run(ARMPMU_MACHINE="cortex-a8-am335x").stdout)

    def test_color_needs_a_terminal(self):
        words = ("decode", "cortex-a8", "PMNC", "0x40")
        self.assertNotIn("\033", output(*words))
        for variables, colored in (({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)):
            master, terminal = pty.openpty()
            run(*words, stdout=terminal, **variables)
            self.assertEqual(colored, b"\033" in shown_on(master, terminal))
            os.close(master)

    def test_help_is_the_same_both_ways(self):
        helped = subprocess.run([ARMPMU, "help", "regs"], capture_output=True, text=True, check=True)
        self.assertEqual(output("-h"), helped.stdout)

    def test_a_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            for words in ((), ("-j",), ("--format=md",), ("asm", "cortex-a8", "PMNC")):
                answer = run(*words, stdout=full)
                self.assertEqual(125, answer.returncode)
                self.assertIn("standard output: No space left on device", answer.stderr)

    def test_what_is_listed_is_what_list_lists(self):
        for core in cores():
            for options in ([], ["-j"]):
                listed = subprocess.run([ARMPMU, "list", "reg", "--core", core, *options],
                                        capture_output=True, text=True, check=True)
                self.assertEqual(listed.stdout, output(core, *options))


class Values(unittest.TestCase):
    def test_fields_become_a_value(self):
        for words, value in ENCODED:
            with self.subTest(words):
                self.assertEqual(value + "\n", output("encode", *words.split()))

    def test_fields_of_every_register_survive_encoding_and_decoding(self):
        """Every other field all ones, then the others: a neighbour's bits would show."""
        for core in cores():
            for register in map(json.loads, output("-j", core).splitlines()):
                name = register["RegisterName"].replace("<n>", "0")
                fields = [f for f in register["Fields"] if f["Rule"] not in ("RO", "RAZ")]
                for odd in (0, 1):
                    given = {f["Name"]: hex((1 << (f["Msb"] - f["Lsb"] + 1)) - 1 if i % 2 == odd else 0)
                             for i, f in enumerate(fields)}
                    words = [f"{field}={value}" for field, value in given.items()]
                    value = output("encode", core, name, *words).strip()
                    decoded = json.loads(output("-j", "decode", core, name, value))
                    held = {f["Name"]: f["Value"] for f in decoded["Fields"] if f["Name"] in given}
                    self.assertEqual(given, held, (core, name))
                    self.assertEqual(0, int(decoded["ReservedSet"], 16))

    def test_mistakes_name_what_is_wrong(self):
        for words, sentence in REFUSED:
            with self.subTest(words):
                answer = run(*words.split())
                self.assertEqual((125, "", f"armpmu: {sentence}\n"),
                                 (answer.returncode, answer.stdout, answer.stderr))


class Assembly(unittest.TestCase):
    def check(self, instruction_set, table):
        found = [(prefix, options) for prefix, options in ASSEMBLERS[instruction_set]
                 if shutil.which(prefix + "as")]
        if not found:
            self.skipTest(f"no assembler of {instruction_set} is installed")
        for prefix, options in found:
            for words, expected in table:
                with self.subTest(assembler=prefix, words=words):
                    text = output("asm", *words.split())
                    self.assertEqual([f"{word:08x}" for word in expected],
                                     [f"{word:08x}" for word in opcodes(prefix, options, text)])

    def test_a32(self):
        self.check("A32", A32)

    def test_t32(self):
        self.check("T32", A32)

    def test_a64(self):
        self.check("A64", A64)

    def test_every_element_assembles_to_as_many_instructions_as_are_printed(self):
        for instruction_set, operand, faces in (("A32", "r1", {"MCR", "MCRR", "LDC"}),
                                                ("A64", "x1", {"MSR"})):
            prefix, options = ASSEMBLERS[instruction_set][-1]
            if not shutil.which(prefix + "as"):
                self.skipTest(f"no assembler of {instruction_set} is installed")
            text = "".join(
                output("asm", core, element["Name"], operand)
                for core in cores() for register in map(json.loads, output("-j", core).splitlines())
                for element in register["Elements"]
                if faces & {encoding["Face"] for encoding in element["Encodings"]})
            lines = [line for line in text.splitlines() if not line.startswith("/*")]
            self.assertGreater(len(lines), 50)
            self.assertEqual(len(lines), len(opcodes(prefix, options, text)))

class Pages(unittest.TestCase):
    """The tables of accesses: those of the Cortex-A8 as its manual prints them, of the other cores as
    their manuals say it in prose."""

    NEVER = "Undefined | Undefined"
    DATA = "Data | Data"
    A8_HEAD = [
        "| EN | Secure privileged | | Nonsecure privileged | | Secure User | | Nonsecure User | |",
        "|---|---|---|---|---|---|---|---|---|",
        "| | Read | Write | Read | Write | Read | Write | Read | Write |",
    ]
    BOTH_HEAD = ["| EN | Privileged | | User | |", "|---|---|---|---|---|",
                 "| | Read | Write | Read | Write |"]
    XSCALE_HEAD = ["| Privileged | | User | |", "|---|---|---|---|", "| Read | Write | Read | Write |"]
    AMU_HEAD = ["| EN | EL0 | | EL1 | | EL2 | | EL3 | |", "|---|---|---|---|---|---|---|---|---|",
                "| | Read | Write | Read | Write | Read | Write | Read | Write |"]

    TABLES = [
        ("cortex-a8", "PMNC CNTENS CNTENC FLAG PMNXSEL CCNT EVTSEL PMCNT", A8_HEAD + [
            "| 0 | Data | Data | Data | Data | Undefined | Undefined | Undefined | Undefined |",
            "| 1 | Data | Data | Data | Data | Data | Data | Data | Data |"]),
        ("cortex-a8", "SWINCR", A8_HEAD + [
            "| 0 | RAZ | Data | RAZ | Data | Undefined | Undefined | Undefined | Undefined |",
            "| 1 | RAZ | Data | RAZ | Data | RAZ | Data | RAZ | Data |"]),
        ("cortex-a8", "USEREN", A8_HEAD + [
            "| 0 or 1 | Data | Data | Data | Data | Data | Undefined | Data | Undefined |"]),
        ("cortex-a8", "INTENS INTENC", A8_HEAD + [
            "| 0 or 1 | Data | Data | Data | Data | Undefined | Undefined | Undefined | Undefined |"]),
        ("cortex-r4f", "PMNC CNTENS CNTENC FLAG PMNXSEL CCNT EVTSEL PMC nVALIRQENS nVALFIQENS "
         "nVALRESETENS VALEDBGRQENS nVALIRQENC nVALFIQENC nVALRESETENC VALEDBGRQENC", BOTH_HEAD + [
             f"| 0 | {DATA} | {NEVER} |", f"| 1 | {DATA} | {DATA} |"]),
        ("cortex-r4f", "SWINCR", BOTH_HEAD + [
            f"| 0 | RAZ | Data | {NEVER} |", "| 1 | RAZ | Data | RAZ | Data |"]),
        ("cortex-r4f", "USEREN", BOTH_HEAD + [f"| 0 or 1 | {DATA} | Data | Undefined |"]),
        ("cortex-r4f", "INTENS INTENC CFLR", BOTH_HEAD + [f"| 0 or 1 | {DATA} | {NEVER} |"]),
        ("xscale1", "PMNC CCNT PMN\\<n\\>", XSCALE_HEAD + [f"| {DATA} | {NEVER} |"]),
        ("xscale2", "PMNC CCNT INTEN FLAG EVTSEL PMN\\<n\\>", XSCALE_HEAD + [
            f"| {DATA} | {NEVER} |"]),
        ("amuv1", "AMCR_EL0 AMCNTENCLR0_EL0 AMCNTENSET0_EL0 AMCNTENCLR1_EL0 AMCNTENSET1_EL0 "
         "AMEVCNTR0\\<n\\>_EL0 AMEVCNTR1\\<n\\>_EL0 AMEVTYPER1\\<n\\>_EL0", AMU_HEAD + [
             "| 0 | Trap to EL1 | Undefined | Data | Undefined | Data | Undefined | Data | Data |",
             "| 1 | Data | Undefined | Data | Undefined | Data | Undefined | Data | Data |"]),
        ("amuv1", "AMCFGR_EL0 AMCGCR_EL0 AMCG1IDR_EL0 AMEVTYPER0\\<n\\>_EL0", AMU_HEAD + [
            "| 0 | Trap to EL1 | Undefined | Data | Undefined | Data | Undefined | Data | Undefined |",
            "| 1 | Data | Undefined | Data | Undefined | Data | Undefined | Data | Undefined |"]),
        ("amuv1", "AMUSERENR_EL0", AMU_HEAD + [
            f"| 0 or 1 | Data | Undefined | {DATA} | {DATA} | {DATA} |"]),
        ("amuv1", "AMEVCNTVOFF0\\<n\\>_EL2 AMEVCNTVOFF1\\<n\\>_EL2", AMU_HEAD + [
            f"| 0 or 1 | {NEVER} | {NEVER} | Trap to EL3 | Trap to EL3 | {DATA} |"]),
        ("amuv1", "AMCNTENSET AMCNTEN AMCNTENCLR AMIIDR AMSCR AMROOTCR AMDEVAFF0 AMDEVAFF1 AMDEVAFF "
         "AMDEVARCH AMDEVTYPE AMPIDR0 AMPIDR1 AMPIDR2 AMPIDR3 AMPIDR4 AMCIDR0 AMCIDR1 AMCIDR2 AMCIDR3",
         ["Access: the memory-mapped view only."]),
    ]

    PMUV3 = [
        ("PMCR_EL0 PMCNTENSET_EL0 PMCNTENCLR_EL0 PMOVSCLR_EL0 PMOVSSET_EL0 PMSELR_EL0 PMCCNTR_EL0 "
         "PMEVTYPER\\<n\\>_EL0 PMEVCNTR\\<n\\>_EL0 PMCCFILTR_EL0", AMU_HEAD + [
             f"| 0 | Trap to EL1 | Trap to EL1 | {DATA} | {DATA} | {DATA} |",
             f"| 1 | {DATA} | {DATA} | {DATA} | {DATA} |"]),
        ("PMSWINC_EL0", AMU_HEAD + [
            "| 0 | Undefined | Trap to EL1 | Undefined | Data | Undefined | Data | Undefined | Data |",
            "| 1 | Undefined | Data | Undefined | Data | Undefined | Data | Undefined | Data |"]),
        ("PMCEID0_EL0 PMCEID1_EL0 PMCEID2 PMCEID3", AMU_HEAD + [
            "| 0 | Trap to EL1 | Undefined | Data | Undefined | Data | Undefined | Data | Undefined |",
            "| 1 | Data | Undefined | Data | Undefined | Data | Undefined | Data | Undefined |"]),
        ("PMUSERENR_EL0", AMU_HEAD + [f"| 0 or 1 | Data | Undefined | {DATA} | {DATA} | {DATA} |"]),
        ("PMINTENSET_EL1 PMINTENCLR_EL1", AMU_HEAD + [f"| 0 or 1 | {NEVER} | {DATA} | {DATA} | {DATA} |"]),
        ("PMMIR_EL1", AMU_HEAD + [
            f"| 0 or 1 | {NEVER} | Data | Undefined | Data | Undefined | Data | Undefined |"]),
        ("PMCFGR PMITCTRL PMDEVAFF0 PMDEVAFF1 PMLAR PMLSR PMAUTHSTATUS PMDEVARCH PMDEVID PMDEVTYPE PMPIDR0 "
         "PMPIDR1 PMPIDR2 PMPIDR3 PMPIDR4 PMCIDR0 PMCIDR1 PMCIDR2 PMCIDR3",
         ["Access: the memory-mapped view only."]),
    ]
    for core in with_pmuv3():
        for row in PMUV3:
            TABLES.append((core, *row))

    def test_who_may_access_each_register(self):
        """The last paragraph of every register's section."""
        for core in cores():
            sections = output("--format=md", core).split("\n## ")[1:]
            printed = {section.splitlines()[0]: section.strip().split("\n\n")[-1].splitlines()
                       for section in sections}
            expected = {name: table for of, names, table in self.TABLES if of == core
                        for name in names.split()}
            self.assertEqual(set(expected), set(printed), core)
            for name, table in expected.items():
                with self.subTest(core=core, register=name):
                    self.assertEqual(table, printed[name])


def update():
    GOLDEN_FOLDER.mkdir(exist_ok=True)
    for name, words in GOLDEN:
        file = GOLDEN_FOLDER / (name if "." in name else f"{name}.txt")
        file.write_text(output(*words), encoding="ascii")


if __name__ == "__main__":
    if sys.argv[3:] == ["--update"]:
        update()
    else:
        unittest.main(argv=sys.argv[:1])
