#!/usr/bin/env python3
"""The table of kernels in docs/validation.md: what each should take by the arithmetic in its header,
and what it took.

A kernel is a directed program with a line "kernel: NAME: WHAT IT DOES". It runs once for each number
of rounds in its header; a round's figures are the difference of the last two runs by the difference
of their rounds.

usage: kernels.py --armpmu FILE --core NAME [--write DOCUMENT | --check DOCUMENT] PROGRAM...
"""

import argparse
import fractions
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "independent"))

import counting  # noqa: E402
import directed  # noqa: E402
import guest  # noqa: E402

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BEGIN, END = "<!-- kernels: begin {} -->\n", "<!-- kernels: end {} -->\n"


def measure(program, counter):
    """Instructions and cycles that a round took, as fractions."""
    name, _, values = program.varies[0]
    runs = []
    for value in values[-2:]:
        symbols = {"T32": 0, **program.lets, name: value}
        path = directed.assemble(program, program.builds[0], symbols, counter.scratch)
        machine = directed.write_machine(counter.scratch, program.machine, program.keys)
        counts = counter.counts(path, machine=machine, expected_status=program.status)
        runs.append([counts[event] for event in program.core.figures])
    rounds = values[-1] - values[-2]
    return [fractions.Fraction(after - before, rounds) for before, after in zip(*runs)]


def figure(value):
    """A number as it is when it is whole, else with two decimals."""
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"


def row(program, measured):
    name, what = program.kernel
    expected = program.round()[1]
    instructions, cycles = measured
    return (f"| [{name}](../{os.path.relpath(program.path, ROOT)}) | {what} "
            f"| {figure(instructions)} | {expected} | {figure(cycles)} "
            f"| {float(cycles / instructions):.3f} |\n")


def table(programs, counter):
    """The section's text, and the names of kernels that did not take what the arithmetic says."""
    lines = ["| Kernel | What a round does | Instructions | Cycles by arithmetic "
             "| Cycles measured | CPI measured |\n", "|---|---|---:|---:|---:|---:|\n"]
    wrong = []
    for program in programs:
        measured = measure(program, counter)
        if measured != list(program.round()):
            wrong.append(program.kernel[0])
        lines.append(row(program, measured))
    return "".join(lines), wrong


def put(document, core, text, write):
    """Puts the table between its marks, or says that another is there; returns an exit status."""
    with open(document, encoding="utf-8") as file:
        before = file.read()
    begin = BEGIN.format(core)
    start, end = before.index(begin) + len(begin), before.index(END.format(core))
    after = before[:start] + text + before[end:]
    if write:
        with open(document, "w", encoding="utf-8") as file:
            file.write(after)
    elif after != before:
        print(f"{document} does not have the table that was measured; "
              f"`ninja -C build kernels-{core}` writes it")
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--armpmu", required=True)
    parser.add_argument("--core", required=True)
    parser.add_argument("--write", metavar="DOCUMENT")
    parser.add_argument("--check", metavar="DOCUMENT")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    missing = guest.missing_tools(plugins=False)
    if missing:
        print(missing)
        return guest.SKIPPED
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        text, wrong = table([directed.Program(path) for path in arguments.programs],
                            counting.Counter(arguments.armpmu, scratch))
    if wrong:
        sys.stdout.write(text)
        print("WRONG, not what the arithmetic says: " + ", ".join(wrong))
        return 1
    document = arguments.write or arguments.check
    if not document:
        sys.stdout.write(text)
        return 0
    return put(document, arguments.core, text, bool(arguments.write))


if __name__ == "__main__":
    sys.exit(main())
