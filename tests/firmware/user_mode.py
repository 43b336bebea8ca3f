#!/usr/bin/env python3
"""The same code counts alike in user mode, under QEMU with the recorder, and as firmware under Unicorn.

The directed programs of a core (tests/directed) run on both engines, and every event of the core is
compared, modelled ones and cycles included. What differs by nature is made equal, or left out, by
these rules:

  programs   Left out is what calls Linux or catches its signals, what a signal ends, what runs as
             firmware only, and what preloads from where no access by the same register and a number
             tells, for QEMU in user mode shows no registers. All others are built once, to end with a call of semihosting, which
             both engines have, and behind a barrier: what was stored has left the core.
  start      user_mode/CORE.s stands in front. Firmware begins with what an operating system has
             done by then; both begin with the same stack. What a program counts is what it counts
             more than one that ends at once, on the same machine.
  addresses  Pages lie in the frame of their own number (memory.page_map), in user mode as with the
             table of firmware.
  phase      Nothing counts by a period that began with the start: the system counter has the core's
             frequency, power mitigation looks at every cycle. A program that sets the period of
             power mitigation is compared without the events of power mitigation.
  parting    A Cortex-A8 fetches a block as it enters it. Straight code is parted into blocks at
             pages by QEMU and at each KiB by Unicorn, so of code beyond a KiB that stores only exact
             events are compared: when a store comes decides what it merges with.

usage: user_mode.py --armpmu FILE --core FOLDER [--check DOCUMENT | --write DOCUMENT]

DOCUMENT has a row for the core that says how much was compared. With --check every third program runs, and of the row is
looked at what needs no run; with ARMPMU_TEST_LONG set all run, and the whole row must be as it is.
"""

import argparse
import dataclasses
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
DIRECTED = HERE.parent / "directed"
sys.path[:0] = [str(DIRECTED), str(HERE.parent / "independent")]

import cores  # noqa: E402  pylint: disable=wrong-import-position
import counting  # noqa: E402  pylint: disable=wrong-import-position
import directed  # noqa: E402  pylint: disable=wrong-import-position

START = ("--section-start=.start=0x3e01800", "--section-start=.start.table=0x3e04000",
         "--section-start=.start.stack=0x3e10000")
ENTRIES = {"qemu": "linux", "unicorn": "start"}
OPTIONS = {"qemu": [], "unicorn": ["--caches-on"]}
NOTHING = '.include "directed.inc"\n_start: finish\n'
KIB = 1024


@dataclasses.dataclass(frozen=True)
class Traits:
    """What the rules need to know of a core."""

    title: str  # in the document
    name: str   # its events are listed by
    addresses: dict = dataclasses.field(default_factory=dict)  # keys of its machines, see above
    phase: dict = dataclasses.field(default_factory=dict)      # the same
    whole_blocks: bool = False                                 # see parting


PERIOD = "mpmm.period_cycles"
IN_PLACE = {"memory.page_map": "identity"}
TRAITS = {
    "cortex_a8": Traits("Cortex-A8", "cortex-a8", IN_PLACE, whole_blocks=True),
    "cortex_r4f": Traits("Cortex-R4F", "cortex-r4f"),
    "xscale": Traits("Intel XScale", "xscale2"),
    "amuv1": Traits("The core with the activity monitors", "amuv1", IN_PLACE, {
        "clock.counter_khz": "2600000", PERIOD: "1", "mpmm.gear0_threshold": "0",
        "mpmm.gear1_threshold": "1", "mpmm.gear2_threshold": "2",
    }),
}
LONG = "ARMPMU_TEST_LONG" in os.environ
NOT_COUNTED = re.compile(r"(\| [^|]* \| \d+ \| \d+) \| .* (\| [^|]+ \|)\n")  # of a row, without what runs show
BEGIN, END = "<!-- engines: begin -->\n", "<!-- engines: end -->\n"


def preloads_untold(text):
    """Whether no other access tells where a preload goes."""
    accesses = [line for line in text.splitlines() if not re.search(r"\bpld\w*\s", line)]
    bases = set(re.findall(r"\[(\w+)", "\n".join(accesses)))
    return any(base not in bases or offset for base, offset in
               re.findall(r"\bpld\w*\s+\[(\w+)(,\s*-?r\d+)?", text))


def reason_to_leave_out(program):
    """By the first rule; None for a program that is compared."""
    with open(program.path, encoding="ascii") as file:
        text = file.read()
    if program.bare:
        return "firmware only"
    if re.search(r"^[^@/]*\b(svc|signal\.inc)\b", text, re.MULTILINE):
        return "calls of Linux or its signals"
    if preloads_untold(text):
        return "preloads from where nothing tells"
    return "ended by a signal" if program.status else None


class Bench:
    """Builds programs of one core and counts them on both engines."""

    def __init__(self, armpmu, core, scratch):
        self.armpmu, self.core, self.scratch = armpmu, cores.CORES[core], scratch
        self.traits, self.include = TRAITS[core], DIRECTED / core
        self.start = os.path.join(scratch, "start.o")
        self.assemble(HERE / "user_mode" / (core + ".s"), "", {}, self.start)
        self.nothing = Path(scratch, "nothing.s")
        self.nothing.write_text(NOTHING, encoding="ascii")

    def tool(self, name, *words):
        subprocess.run([self.core.compiler.removesuffix("gcc") + name, *words], check=True)

    def assemble(self, source, build, symbols, out):
        options = [word.removeprefix("-Wa,") for word in self.core.options]
        self.tool("as", *options, *(["-mthumb"] if build == "t32" else []), "-I", self.include,
                  *(f"--defsym={name}={value}" for name, value in symbols.items()), "-o", out, source)

    def count(self, source, build, symbols, machine, folder):
        """Events' counts by engine, of the same code."""
        os.makedirs(folder)
        found, part = {}, os.path.join(folder, "part.o")
        self.assemble(source, build, {**symbols, "BARE": 1, "DRAINED": 1}, part)
        for engine, entry in ENTRIES.items():
            out = os.path.join(folder, engine)
            self.tool("ld", "-static", "-z", "noexecstack", *directed.PLACES, *START, "-e", entry,
                      "-o", out, part, self.start)
            counts = counting.Counter(self.armpmu, folder).counts(
                out, machine=machine, options=["--engine", engine, *OPTIONS[engine]])
            found[engine] = {event: count or 0 for event, count in counts.items()}
        return found

    @functools.lru_cache(maxsize=None)
    def count_nothing(self, build, machine):
        """machine: the text of its file, or its name."""
        folder = tempfile.mkdtemp(dir=self.scratch)
        path = machine
        if "\n" in machine:
            path = os.path.join(folder, "machine.ini")
            Path(path).write_text(machine, encoding="ascii")
        return self.count(self.nothing, build, {"T32": int(build == "t32")}, path,
                          os.path.join(folder, "nothing"))

    def compare(self, program, build):
        """Counts by event of both engines, each without its start and end; whether stores may come
        in other blocks."""
        folder = tempfile.mkdtemp(dir=self.scratch)
        symbols, keys = program.symbols(build), {**self.traits.phase, **program.keys}
        for name, key, values in program.varies:
            symbols[name] = values[0]
            if key:
                keys[key] = values[0]
        keys.update(self.traits.addresses)
        machine = directed.write_machine(folder, program.machine, keys)
        counts = self.count(program.path, build, symbols, machine, os.path.join(folder, "both"))
        text = Path(machine).read_text(encoding="ascii") if keys else machine
        empty = self.count_nothing(build, text)
        more = {engine: {event: count - empty[engine][event] for event, count in found.items()
                         if PERIOD not in program.keys or not event.startswith("MPMM_")}
                for engine, found in counts.items()}
        return more, self.traits.whole_blocks and more["qemu"]["ST_RETIRED"] > 0 and \
            self.code_bytes(os.path.join(folder, "both", "part.o")) > KIB

    def code_bytes(self, path):
        sizes = subprocess.run([self.core.compiler.removesuffix("gcc") + "size", "-A", path],
                               check=True, text=True, stdout=subprocess.PIPE).stdout
        return int(re.search(r"^\.text\s+(\d+)", sizes, re.MULTILINE)[1])


def fidelities(armpmu, core):
    listed = subprocess.run([armpmu, "list", "event", "--core", core, "-j"], check=True, text=True,
                            stdout=subprocess.PIPE)
    return {row["EventName"]: row["Fidelity"] for row in map(json.loads, listed.stdout.splitlines())}


class Result:
    """What the comparison of a core's programs came to."""

    def __init__(self):
        self.left_out, self.programs, self.runs, self.exact_only, self.wrong = {}, 0, 0, 0, []
        self.seen = set()  # events that counted

    def judge(self, label, counts, fidelity, parted):
        self.exact_only += parted
        for event, user in counts["qemu"].items():
            if parted and fidelity[event] != "exact":
                continue
            firmware = counts["unicorn"][event]
            if user:
                self.seen.add(event)
            if user != firmware:
                self.wrong.append(f"{label}: {event}: {user} in user mode, {firmware} as firmware")

    def row(self, traits, fidelity):
        left = "; ".join(f"{reason}: {n}" for reason, n in sorted(self.left_out.items())) or "none"
        seen = {kind: sum(fidelity[event] == kind for event in self.seen)
                for kind in ("exact", "modelled")}
        return (f"| {traits.title} | {self.programs} | {self.runs} | {seen['exact']} |"
                f" {seen['modelled']} | {self.exact_only or 'none'} | {left} |\n")


def compare_all(armpmu, core, scratch, fidelity, every):
    result, bench, jobs = Result(), Bench(armpmu, core, scratch), []
    with ThreadPoolExecutor(2) as pool:
        for path in sorted((DIRECTED / core).rglob("*.s")):
            program = directed.Program(str(path))
            reason = reason_to_leave_out(program)
            if reason:
                result.left_out[reason] = result.left_out.get(reason, 0) + 1
                continue
            result.programs += 1
            result.runs += len(program.builds)
            if not every and result.programs % 3 != 1:
                continue
            jobs += [(f"{program.name}, {build}", pool.submit(bench.compare, program, build))
                     for build in program.builds]
        for label, job in jobs:
            counts, parted = job.result()
            result.judge(label, counts, fidelity, parted)
    return result


def in_document(path, write, traits, row, every):
    """The exit status. every: all programs ran, else the row has only what needs no run."""
    before = Path(path).read_text(encoding="utf-8")
    start, end = before.index(BEGIN), before.index(END)
    table = re.sub(rf"^\| {re.escape(traits.title)} \|.*\n", lambda _: row, before[start:end],
                   count=1, flags=re.MULTILINE)
    if write:
        Path(path).write_text(before[:start] + table + before[end:], encoding="utf-8")
    kept = table if write else before[start:end]
    if row in kept if every else NOT_COUNTED.fullmatch(row).groups() in NOT_COUNTED.findall(kept):
        return 0
    print(f"{path} does not have this row; `ninja -C build engines-{traits.name}` writes it over the"
          " one that it has")
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--armpmu", required=True)
    parser.add_argument("--core", required=True, choices=TRAITS)
    parser.add_argument("--check", metavar="DOCUMENT")
    parser.add_argument("--write", metavar="DOCUMENT")
    arguments = parser.parse_args()
    traits, every = TRAITS[arguments.core], LONG or not arguments.check
    fidelity = fidelities(arguments.armpmu, traits.name)
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        result = compare_all(os.path.abspath(arguments.armpmu), arguments.core, scratch, fidelity, every)
    for message in result.wrong:
        print("WRONG", message)
    row = result.row(traits, fidelity)
    print(row, end="")
    if result.wrong:
        return 1
    if arguments.write or arguments.check:
        return in_document(arguments.write or arguments.check, bool(arguments.write), traits, row, every)
    return 0


if __name__ == "__main__":
    sys.exit(main())
