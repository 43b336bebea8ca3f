"""Two boots of a machine whose clock counts its own instructions give the same counts and samples.

usage: repeat.py [--plugin FILE[,ARGUMENT...]] [--machine virt|cubieboard] ARMPMU COUNTS SAMPLES

COUNTS, SAMPLES: of programs/, compiled for Arm. The environment as for boot.py.
"""

import argparse
import sys

import boot

SHIFT = 3  # eight nanoseconds an instruction


def difference(first, second):
    """The first place at which two outputs differ, None where they do not."""
    if not any(line.startswith("count ") for line in first):
        return "nothing was counted"
    for number, (one, other) in enumerate(zip(first, second), 1):
        if one != other:
            return f"line {number}: '{one}' and '{other}'"
    return None if len(first) == len(second) else f"{len(first)} and {len(second)} lines"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin")
    parser.add_argument("--machine", choices=boot.BOARDS, default="virt")
    parser.add_argument("armpmu")
    parser.add_argument("counts")
    parser.add_argument("samples")
    o = parser.parse_args()
    commands = ["counts"] + (["samples"] if boot.BOARDS[o.machine].irq is not None else [])
    try:
        first, second = (boot.run(commands, o.machine, o.armpmu, o.plugin, [o.counts, o.samples],
                                  icount=SHIFT) for _ in range(2))
    except boot.BootFailed as failure:
        print(failure)
        return 1
    found = difference(*(sum((command.output for command in boot.commands), [])
                         for boot in (first, second)))
    print(f"{o.machine}: {found or 'two boots, the same counts'}; {first.seconds:.1f} s and "
          f"{second.seconds:.1f} s")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
