#!/usr/bin/env python3
"""Level 1 accesses and misses against a slow cache fed with the same addresses, to the miss; and
the events that the addresses alone decide.

The address plugin and armpmu watch the same run. The machine is cortex-a8-plain (LRU, physical =
virtual, no guessed ways, no wrong-path fetches), in its own size and in smaller ones that miss
more, and with round robin replacement: each program with one of them, or with ARMPMU_TEST_LONG set with LRU and round
robin.
Prediction is off: a branch wrongly predicted taken would make the core fetch again what follows it,
which the program's addresses do not show.

usage: l1_misses.py ARMPMU ADDRESS_PLUGIN PROGRAMS_FOLDER [PROGRAM...]
"""

# proves: 0x01 on real programs the misses equal those of a slow cache fed with the same addresses
# proves: 0x03 on real programs the misses equal those of a slow cache fed with the same addresses
# proves: 0x04 on real programs the accesses are the lines that each instruction's bytes lie in
# proves: 0x06 on real programs the count is that of the instructions seen to load
# proves: 0x07 on real programs the count is that of the instructions seen to store
# proves: 0x09 on real programs the count is that of the system calls seen
# proves: 0x0C on real programs the count is that of the places where execution went elsewhere
# proves: 0x50 on real programs the accesses are the aligned groups that instructions lie in

import os
import sys
import tempfile

import counting
import guest
import slow_cache

LONG = "ARMPMU_TEST_LONG" in os.environ
LINE_BYTES = 64
FETCH_BYTES = 8

# program, how it is built
RUNS = [
    ("sort", ["-marm"]),
    ("text", ["-mthumb", "-static"]),
    ("heap", ["-mthumb"]),
    ("numeric", ["-marm", "-static"]),
    ("blocks", ["-marm"]),
    ("jumps", ["-mthumb", "-static"]),
    ("checksum", ["-mthumb", "-static"]),
    ("recursion", ["-marm", "-static"]),
]

# KiB, ways and replacement of both level 1 caches. Every program runs on one of each list. With
# round robin a hit changes nothing in a cache, and armpmu takes a shorter way for it.
LRU = [(32, 4, "lru"), (4, 2, "lru"), (1, 1, "lru"), (2, 8, "lru")]
ROUND_ROBIN = [(2, 4, "round-robin"), (32, 4, "round-robin"), (8, 2, "round-robin")]


def write_machine(path, size_kb, ways, replacement):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"[machine]\nname = slow-cache\nbase = cortex-a8-plain\n"
                   f"[l1i]\nsize_kb = {size_kb}\nways = {ways}\nline_bytes = {LINE_BYTES}\n"
                   f"fetch_bytes = {FETCH_BYTES}\nreplacement = {replacement}\n"
                   f"[l1d]\nsize_kb = {size_kb}\nways = {ways}\nline_bytes = {LINE_BYTES}\n"
                   f"replacement = {replacement}\nwrite_allocate = no\nneon_allocate = no\n"
                   f"[itlb]\nreplacement = {replacement}\n[dtlb]\nreplacement = {replacement}\n"
                   f"[branch]\nprediction = no\n")
    return path


def expected_counts(addresses, size_kb, ways, replacement):
    def empty():
        return slow_cache.SlowCache(size_kb, ways, LINE_BYTES, lru=replacement == "lru")

    records = slow_cache.read_records(addresses)
    instruction_side = slow_cache.count_instruction_side(records, empty(), LINE_BYTES, FETCH_BYTES)
    data_side = slow_cache.count_data_side(records, empty(), LINE_BYTES)
    return {
        "L1I_CACHE": instruction_side[0], "L1I_CACHE_REFILL": instruction_side[1],
        "L1D_CACHE": data_side[0], "L1D_CACHE_REFILL": data_side[1],
        **slow_cache.count_architectural(records),
    }


def compare(label, program, armpmu, plugin, scratch, cache):
    addresses = os.path.join(scratch, "addresses")
    machine = write_machine(os.path.join(scratch, "machine.ini"), *cache)
    counter = counting.Counter(armpmu, scratch,
                               guest.qemu_with_plugin(scratch, plugin, addresses))
    if os.path.exists(addresses):
        os.unlink(addresses)
    got = counter.counts(program, machine=machine)
    want = expected_counts(addresses, *cache)
    wrong = [f"{label}: {event}: armpmu {got[event]}, slow cache {count}"
             for event, count in want.items() if got[event] != count]
    if not wrong:
        print(f"{label}: {want}: equal")
    return wrong


def main(armpmu, plugin, folder, *chosen):
    missing = guest.missing_tools()
    if missing:
        print(missing)
        return guest.SKIPPED
    wrong = []
    with tempfile.TemporaryDirectory(prefix="armpmu-") as scratch:
        for number, (name, flags) in enumerate(RUNS):
            if chosen and name not in chosen:
                continue
            caches = (LRU[number % len(LRU)], ROUND_ROBIN[number % len(ROUND_ROBIN)])
            caches = caches if LONG else caches[number // 2 % 2:][:1]
            program = guest.compile_program(os.path.join(folder, name + ".c"),
                                            os.path.join(scratch, name), flags)
            for cache in caches:
                label = "{} {}, {} KiB {} ways {}".format(name, " ".join(flags), *cache)
                wrong += compare(label, program, armpmu, plugin, scratch, cache)
    for message in wrong:
        print("WRONG", message)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
