#!/usr/bin/env python3
"""Runs small assembly programs whose counts follow from the manual by arithmetic, and compares.

A program's header says what must come out, in lines that open with "@ " and a word ("// " in A64):

  @ proves: 0x06 SENTENCE       what about the event it shows (a row of evidence.md, evidence.py)
  @ kernel: NAME: WHAT IT DOES  it is a kernel, a row of armpmu check --format=md: what varies
                                is a number of rounds, and what instructions and cycles change by
                                is expected
  @ build: a32 t32              instruction sets to assemble it for; the core's first when absent
  @ machine: NAME               the core's when absent
  @ later: VERSION              instructions of a later architecture than the core's `oldest` machines have: not run there
  @ scalable: EXTENSION         instructions that only the core's `scalable` machines have: run on them alone
  @ set: section.key = VALUE    a change to that machine
  @ let: NAME = EXPRESSION      a number; the assembler knows it too
  @ other-colour: NAME = FIRST, PAGES   how many pages from that number on have a frame of the other
                                colour (frames.py) by the random.seed that is set; a number as above
  @ vary: NAME = V, W...        run once for each value, as an assembler symbol...
  @ vary: NAME section.key = V, W...   ...or as a machine's key
  @ expect: EXPRESSION OP EXPRESSION   OP one of = <= >= < >; for each value of what varies
  @ expect-change: EXPRESSION OP EXPRESSION   on differences between neighbouring values
  @ status: N                   exit status, 0 when absent
  @ engine: bare                it needs no system and runs as firmware, with memory from 0 on; the
                                assembler knows BARE then
  @ pin: PIN=every:100i         a pin of the core, as armpmu run has it (bare)
  @ inject: KIND@ADDRESS        an error in one of the core's memories, as armpmu run has it (bare)

In expressions event names are counts, T32 is 1 in a T32 build, else 0. A program is in CORE/TOPIC/;
what the reference says of any program on that core (cores.py) is checked on every run.

Prints a line for each program as TAP has it, then what is wrong.

usage: directed.py [--armpmu FILE] [--machine NAME] [--set FOLDER] PROGRAM...

FOLDER: the programs as check/make_set.py assembled them when armpmu was built; without it they are assembled now.
"""

import argparse
import ast
import glob
import json
import operator
import os
import re
import subprocess
import sys
import tempfile
from ctypes.util import find_library

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "independent"))

import cores  # noqa: E402
import counting  # noqa: E402
import frames  # noqa: E402
import guest  # noqa: E402

OPERATORS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.LShift: operator.lshift,
}
# Of sections. A program that needs no system may have vectors. Pages are small, since a larger one would begin at
# address 0 with the file's header, where Linux maps nothing for users other than root.
PLACES = ("-zmax-page-size=4096", "-Ttext=0x10000", "-Tdata=0x200000", "-Tbss=0x400000", "--section-start=.vectors=0")

COMPARISONS = {
    "=": operator.eq, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt,
}


class HeaderError(Exception):
    """A program's header is not what this runner understands."""


def evaluate(expression, values):
    """Integer arithmetic with names; nothing else gets through."""
    def value_of(node):
        if isinstance(node, ast.Expression):
            return value_of(node.body)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return node.value
        if isinstance(node, ast.Name):
            if values.get(node.id) is None:
                raise HeaderError(f"{node.id} has no count or value")
            return values[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](value_of(node.left), value_of(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -value_of(node.operand)
        raise HeaderError(f"{expression!r}: only integers, names and + - * // % << are understood")
    try:
        return value_of(ast.parse(expression.strip(), mode="eval"))
    except SyntaxError as error:
        raise HeaderError(f"{expression!r}: {error.msg}") from error


def split_comparison(text):
    match = re.fullmatch(r"(.+?)\s(=|<=|>=|<|>)\s(.+)", text)
    if not match:
        raise HeaderError(f"{text!r}: EXPRESSION = EXPRESSION is wanted")
    return match.groups()


def core_folder(path):
    """The folder of a program's core, which has what its programs include."""
    folder = os.path.dirname(os.path.abspath(path))
    while os.path.basename(folder) not in cores.CORES:
        if folder == os.path.dirname(folder):
            raise HeaderError(f"{path}: it is in the folder of no core; there are "
                              + ", ".join(cores.CORES))
        folder = os.path.dirname(folder)
    return folder


class Program:
    """The header of a program, read."""

    def __init__(self, path, machine=None):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.folder = core_folder(path)
        self.core = cores.CORES[os.path.basename(self.folder)]
        self.proves, self.kernel, self.status, self.later = [], None, 0, False
        self.scalable = False
        self.builds, self.machine = list(self.core.builds[:1]), machine or self.core.machine
        self.keys, self.lets, self.varies = {}, {}, []
        self.expect, self.expect_change = [], []
        self.bare, self.pins, self.faults = False, [], []
        with open(path, encoding="ascii") as file:
            for number, line in enumerate(file, 1):
                match = re.match(r"(?:@|//) ([a-z-]+):\s*(.*?)\s*$", line)
                if match:
                    self.read(number, *match.groups())
        if not (self.proves or self.kernel) or not self.expect + self.expect_change:
            raise HeaderError(f"{path}: it neither proves nor expects anything")
        if self.pins + self.faults and not self.bare:
            raise HeaderError(f"{path}: only a bare program has pins and injected errors")
        if self.kernel:
            self.round()

    def round(self):
        """Instructions and cycles of a round, as a kernel's arithmetic has them."""
        if not self.varies or self.varies[0][1]:
            raise HeaderError(f"{self.path}: the rounds of a kernel vary, as a symbol")
        name, found = self.varies[0][0], []
        for event in self.core.figures:
            right = [line[2] for _, line in self.expect_change if line[:2] == (event, "=")]
            if len(right) != 1:
                raise HeaderError(f"{self.path}: one line 'expect-change: {event} = ROUND * {name}'"
                                  " is wanted of a kernel")
            one, two = (evaluate(right[0], {**self.lets, name: rounds}) for rounds in (1, 2))
            if two != 2 * one or one <= 0:
                raise HeaderError(f"{self.path}: {event} = {right[0]}: each round adds the same")
            found.append(one)
        return tuple(found)

    def read(self, number, word, text):
        if word == "proves":
            match = re.fullmatch(r"(0x[0-9A-F]{2,4}) (.+)", text)
            if not match:
                raise HeaderError(f"{self.path}:{number}: 'proves: 0xNN SENTENCE' is wanted")
            self.proves.append((int(match[1], 16), match[2]))
        elif word == "kernel":
            match = re.fullmatch(r"([^:]+): (.+)", text)
            if not match:
                raise HeaderError(f"{self.path}:{number}: 'kernel: NAME: WHAT IT DOES' is wanted")
            self.kernel = match.groups()
        elif word == "build":
            self.builds = text.split()
            if set(self.builds) - set(self.core.builds):
                raise HeaderError(f"{self.path}:{number}: there is {' '.join(self.core.builds)}")
        elif word == "machine":
            self.machine = text
        elif word == "later":
            self.later = True
        elif word == "scalable":
            self.scalable = True
        elif word == "status":
            self.status = int(text)
        elif word == "engine":
            if text != "bare":
                raise HeaderError(f"{self.path}:{number}: 'engine: bare' is the only other one")
            self.bare = True
        elif word == "pin":
            self.pins.append(text)
        elif word == "inject":
            self.faults.append(text)
        elif word == "set":
            key, value = (part.strip() for part in text.split("=", 1))
            self.keys[key] = value
        elif word == "let":
            name, value = (part.strip() for part in text.split("=", 1))
            self.lets[name] = evaluate(value, self.lets)
        elif word == "other-colour":
            name, value = (part.strip() for part in text.split("=", 1))
            if "random.seed" not in self.keys:
                raise HeaderError(f"{self.path}:{number}: random.seed is to be set before")
            first, pages = (evaluate(part, self.lets) for part in value.split(","))
            self.lets[name] = frames.of_other_colour(first, pages,
                                                     int(self.keys["random.seed"], 0))
        elif word == "vary":
            left, values = text.split("=", 1)
            name, *key = left.split()
            self.varies.append((name, key[0] if key else None,
                                [int(value, 0) for value in values.split(",")]))
        elif word == "expect":
            self.expect.append((number, split_comparison(text)))
        elif word == "expect-change":
            self.expect_change.append((number, split_comparison(text)))
        else:
            raise HeaderError(f"{self.path}:{number}: unknown word '{word}'")
        if len(self.varies) > 1:
            raise HeaderError(f"{self.path}:{number}: only one thing may vary")


    def symbols(self, build):
        """Names that the assembler and expressions know, but for what varies."""
        bare = {"BARE": 1} if self.bare else {}
        return {"T32": int(build == "t32"), **bare, **self.lets}

    def runs(self):
        """(build, label, symbols, keys of the machine) of each run, in order."""
        name, key, values = self.varies[0] if self.varies else (None, None, [None])
        for build in self.builds:
            for value in values:
                symbols, keys = self.symbols(build), dict(self.keys)
                if name:
                    symbols[name] = value
                if key:
                    keys[key] = value
                yield build, f"{build} {name} = {value}" if name else build, symbols, keys

    def options(self):
        """Of armpmu stat, which runs it."""
        pins = [word for pin in self.pins for word in ("--pin", pin)]
        faults = [word for fault in self.faults for word in ("--inject", fault)]
        return (["--engine", "unicorn", "--caches-on"] if self.bare else []) + pins + faults


def write_machine(folder, base, keys):
    """A machine file with changed keys; the base's name when nothing changes."""
    if not keys:
        return base
    path = os.path.join(folder, "machine.ini")
    sections = {}
    for key, value in keys.items():
        section, name = key.split(".")
        sections.setdefault(section, []).append(f"{name} = {value}")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"[machine]\nname = directed\nbase = {base}\n")
        for section, lines in sections.items():
            file.write(f"[{section}]\n" + "\n".join(lines) + "\n")
    return path


def assemble(program, build, symbols, folder):
    out = os.path.join(folder, program.name)
    options = [f"-Wa,--defsym,{name}={value}" for name, value in symbols.items()]
    thumb = ["-Wa,-mthumb"] if build == "t32" else []
    # GNU as fills what it aligns by more than 32 bytes from memory that it never set.
    same = {name: value for name, value in os.environ.items() if name != "MALLOC_PERTURB_"}
    subprocess.run([program.core.compiler, *program.core.options, "-nostdlib", "-static", *thumb,
                    "-Wa,-I," + program.folder, *options,
                    "-Wl,--build-id=none", "-Wl,-z,noexecstack",
                    *(f"-Wl,{option}" for option in PLACES),
                    "-o", out, program.path], check=True, env=same)
    return out


def check(program, lines, values, wrong, label):
    for number, (left, comparison, right) in lines:
        got, want = evaluate(left, values), evaluate(right, values)
        if not COMPARISONS[comparison](got, want):
            wrong.append(f"{program.path}:{number}: {label}: {left} {comparison} {right}: "
                         f"counted {got}, the arithmetic says {want}")


def change(before, after):
    """What differs between two runs. The instruction set does not change."""
    return {name: after[name] - before[name] if name != "T32" else after[name]
            for name in after if after[name] is not None and before[name] is not None}


def counts_of(program, counter, label, values):
    """The counts of a run, and the values of its names. values: file, symbols and keys of the machine."""
    file, symbols, keys = values
    counts = counter.counts(file, machine=write_machine(counter.scratch, program.machine, keys),
                            expected_status=program.status, options=program.options())
    if program.bare:  # what nothing drives there has had no event
        counts = {event: count or 0 for event, count in counts.items()}
    clash = counts.keys() & symbols.keys()
    if clash:
        raise HeaderError(f"{program.path}: {label}: {clash} is an event, not a free name")
    return {**counts, **symbols}


def run_program(program, counter, made=None):
    """Messages about expectations that were not met. made: the file of a run in an assembled set,
    else each is assembled here."""
    wrong, before = [], {}
    relations = [(0, split_comparison(relation)) for relation in program.core.relations]
    for build, label, symbols, keys in program.runs():
        file = made(program, label) if made else assemble(program, build, symbols, counter.scratch)
        counts = counts_of(program, counter, label, (file, symbols, keys))
        check(program, program.expect + relations, counts, wrong, label)
        if build in before:
            differences = {**change(before[build], counts), **program.lets}
            check(program, program.expect_change, differences, wrong, label)
        before[build] = counts
    return wrong


class MadeSet:
    """What make_set.py assembled: the file of a run. Machines differ in no file."""

    def __init__(self, folder):
        self.folder, self.files = folder, {}

    def index(self, core):
        if core not in self.files:
            self.files[core] = {}
            for path in glob.glob(os.path.join(self.folder, core, "*.json")):
                with open(path, encoding="ascii") as file:
                    self.files[core] |= {(run["program"], run["label"]): run["file"] for run in json.load(file)}
        return self.files[core]

    def __call__(self, program, label):
        core = os.path.basename(program.folder)
        file = self.index(core).get((program.name, label))
        if file is None:
            raise HeaderError(f"{program.path}: {label} is not in {self.folder}; 'ninja check/made' makes it")
        return os.path.join(self.folder, core, file)


def missing_for(programs):
    """What is not there and is needed, or None."""
    missing = guest.missing_tools(target=guest.AARCH64 if programs[0].builds == ["a64"] else guest.ARM)
    if not missing and any(program.bare for program in programs) and not find_library("unicorn"):
        return "libunicorn2 is not installed, which runs firmware"
    return missing


def report(programs, run):
    """Prints a line for each program, as TAP has it, and last what is wrong. Returns the exit status."""
    wrong = []
    print(f"1..{len(programs)}", flush=True)
    for number, program in enumerate(programs, 1):
        try:
            messages = run(program)
        except (HeaderError, counting.CountingFailed, OSError, subprocess.SubprocessError) as error:
            messages = [f"{program.path}: {error}"]
        print(f"{'not ok' if messages else 'ok'} {number} - {program.name} on {program.machine}", flush=True)
        wrong += messages
    for message in wrong:
        print("# WRONG", message.replace("\n", "\n# "))
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--armpmu", default="build/armpmu")
    parser.add_argument("--machine", help="instead of the core's, not of the program's own")
    parser.add_argument("--set", help="the folder of the programs as make_set.py assembled them")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    programs = [Program(path, arguments.machine) for path in arguments.programs]
    missing = missing_for(programs)
    if missing:
        print("1..0 # SKIP", missing)
        return 0
    made = MadeSet(arguments.set) if arguments.set else None
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        counter = counting.Counter(arguments.armpmu, scratch)
        return report(programs, lambda program: run_program(program, counter, made))


if __name__ == "__main__":
    sys.exit(main())
