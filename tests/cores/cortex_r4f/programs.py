#!/usr/bin/env python3
"""What must hold of any program on a Cortex-R4F, on real ones and on every machine of the core.

usage: programs.py ARMPMU PROGRAM.c...

Each program is counted. What the program itself decides must not depend on the machine; the relations
are those of the directed programs. (Debian's C library is of the A profile, with which code marked as
of the R profile does not link; armv7ve is Armv7-A with SDIV and UDIV, all of which the core has.)
"""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("directed", "independent"):
    sys.path.insert(0, os.path.join(HERE, "..", "..", folder))

import cores  # noqa: E402
import counting  # noqa: E402
import directed  # noqa: E402
import guest  # noqa: E402

MACHINES = ["cortex-r4f", "tms570ls", "rm48"]
VARIANTS = [{"l1d.protection": "parity"}, {"l1d.replacement": "lru", "l1i.replacement": "lru"},
            {"l1d.write_allocate": "no", "l1d.size_kb": 4, "l1i.size_kb": 4},
            {"memory.elsewhere": "noncacheable"}, {"issue.width": 1, "linefill.buffers": 1},
            {"store_buffer.entries": 1, "store_queue.entries": 1, "branch.prediction": "no"}]
EXACT = ["INST_RETIRED", "LD_RETIRED", "ST_RETIRED", "PC_WRITE_RETIRED", "BR_IMMED_RETIRED",
         "BR_RETURN_RETIRED", "UNALIGNED_LDST_RETIRED", "EXC_TAKEN", "EXC_RETURN",
         "INTEGER_DIV_EXECUTED", "DP_FLOAT_INST_EXECUTED"]
FLAGS = ["-march=armv7ve", "-mfpu=vfpv3-d16", "-mfloat-abi=hard", "-static"]


def check(name, machine, counts, first):
    wrong = []
    for relation in cores.CORES["cortex_r4f"].relations:
        left, comparison, right = directed.split_comparison(relation)
        got, want = directed.evaluate(left, counts), directed.evaluate(right, counts)
        if not directed.COMPARISONS[comparison](got, want):
            wrong.append(f"{name} on {machine}: {relation}: {got} and {want}")
    wrong += [f"{name} on {machine}: {event} is {counts[event]}, on the first machine {first[event]}"
              for event in EXACT if counts[event] != first[event]]
    return wrong


def main():
    armpmu, *sources = sys.argv[1:]
    missing = guest.missing_tools()
    if missing:
        print(missing)
        return guest.SKIPPED
    wrong, runs = [], 0
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        counter = counting.Counter(armpmu, scratch)
        for source in sources:
            name = os.path.splitext(os.path.basename(source))[0]
            program = guest.compile_program(source, os.path.join(scratch, name), FLAGS)
            first = counter.counts(program, machine=MACHINES[0])
            wrong += check(name, MACHINES[0], first, first)
            for label in MACHINES[1:] + VARIANTS:
                machine = label if isinstance(label, str) else directed.write_machine(
                    scratch, MACHINES[0], label)
                wrong += check(name, label, counter.counts(program, machine=machine), first)
            runs += len(MACHINES + VARIANTS)
            if name == "numeric" and first["INTEGER_DIV_EXECUTED"] < 100:
                wrong.append("numeric divides, and hardly a divide was counted")
    print("\n".join(wrong) or f"{runs} runs of {len(sources)} programs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
