"""Instructions a second of firmware with everything counted, against the Unicorn library alone.

usage: firmware.py [--rounds N] ARMPMU BARE FIRMWARE.elf FIRMWARE.bin

Processor time, the best of the rounds, run in turns.
"""

import argparse
import os
import subprocess
import sys


def seconds_of(words):
    before = os.times()
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    after = os.times()
    if done.returncode != 0:
        sys.exit(f"{words}: status {done.returncode}\n{done.stderr}")
    return after.children_user + after.children_system - before.children_user - \
        before.children_system, done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("armpmu")
    parser.add_argument("bare")
    parser.add_argument("elf")
    parser.add_argument("bin")
    o = parser.parse_args()

    counted = [o.armpmu, "stat", "-x;", "-e", "INST_RETIRED", o.elf]
    insns = int(seconds_of(counted)[1].stderr.split(";")[0])
    ours, bare = [], []
    for _ in range(o.rounds):
        ours.append(seconds_of(counted)[0])
        bare.append(float(seconds_of([o.bare, o.bin])[1].stdout))
    ours, bare = min(ours), min(bare)
    print(f"{insns / 1e6:.0f} million instructions")
    print(f"library alone     {bare:6.2f} s  {insns / bare / 1e6:6.1f} MIPS")
    print(f"everything counted{ours:6.2f} s  {insns / ours / 1e6:6.1f} MIPS  {bare / ours:.2f} of it")


if __name__ == "__main__":
    main()
