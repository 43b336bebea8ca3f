"""Two slices of a replay meet where digests of the core's whole state are equal (src/cores/neoverse/slices.c). Each
member of the state is in the digest, or below with the reason why it need not be: one that was forgotten would give
wrong counts without a word.

usage: slice_state.py SOURCE_ROOT
"""

import re
import sys
from pathlib import Path

SET_UP = "of the machine, and never changed"
COUNT = "a count, which is added up over the slices"
CURE = "of a cure, for which slices are not made"
FOUND = "found again from the rest"
SCRATCH = "used within one instruction"
WRITERS = "in the digest as memory_writer_of has it"
PROFILE = "of a profile, for which slices are not made"

NEED_NOT = {
    ("neoverse/memory.h", "neoverse_memory"): {
        "tally": COUNT, "misses": COUNT, "line_shift": SET_UP, "page_shift": SET_UP, "page_lines_shift": SET_UP,
        "strides_mask": SET_UP, "follows": SET_UP, "reach": SET_UP, "drain_shift": SET_UP, "drain_mask": SET_UP,
        "row_mask": SET_UP,
        "line_beats": SET_UP, "whole_line": SET_UP, "own_l2": FOUND, "own_llc": FOUND, "pages": FOUND, "recent": FOUND, "forgotten": FOUND,
        "earlier": WRITERS,
        "cluster": "one core alone has slices", "start": "one core alone has slices",
        "seen": SCRATCH, "page_map": FOUND, "page_map48": FOUND, "huge_map": FOUND, "huge": FOUND,
        "translations": FOUND, "recency": CURE, "beside": CURE},
    ("neoverse/memory.h", "memory_line"): {},
    ("neoverse/memory.h", "memory_fill"): {},
    ("neoverse/memory.h", "memory_fills"): {},
    ("neoverse/memory.h", "memory_drain"): {},
    ("neoverse/memory.h", "memory_granule"): {"writer": WRITERS, "earlier": WRITERS},
    ("neoverse/memory.h", "memory_writer"): {},
    ("neoverse/memory.h", "memory_stride"): {},
    ("neoverse/ooo_timing.h", "ooo_pace"): {"slots": COUNT},
    ("neoverse/ooo_timing.h", "ooo_timing"): {
        "before": SET_UP, "alu_latency": SET_UP, "look_ahead": SET_UP, "late_time": SET_UP, "takes": SET_UP, "full": FOUND,
        "room_until": FOUND, "backend_stall": COUNT, "memory_stall": COUNT, "store_stall": COUNT, "load_stall": COUNT,
        "backend_slots": COUNT, "wrong_cycles": COUNT, "recovery": COUNT, "frontend_stall": COUNT, "starved": COUNT, "interlocks": COUNT,
        "store_waits": COUNT, "n_waits": PROFILE, "waits_until": PROFILE},
    ("../parts/tage.h", "tage"): {
        "base_history": SET_UP, "index_bits": SET_UP, "oldest": SET_UP, "leaves": SET_UP, "stack_size": SET_UP,
        "tag_mask": SET_UP, "tag_top": SET_UP, "changes": SET_UP, "first": SET_UP, "places": SCRATCH, "known": SCRATCH, "announced": SCRATCH, "level": SCRATCH},
    ("../parts/tage.h", "tage_targets"): {},
    ("neoverse/core.h", "neoverse"): {
        "place": SCRATCH, "tally": COUNT, "ran": COUNT, "by_block": PROFILE, "is_slow": SET_UP, "misses": PROFILE, "first_miss": PROFILE,
        "next_miss": PROFILE, "stall_before": PROFILE, "waits_before": PROFILE, "lost_before": PROFILE,
        "retired_before": PROFILE, "follows": "none where a slice keeps time",
        "period_end": "of power mitigation: its activity in each phase is kept apart", "activity": "the same",
        "thresholds": "the same", "next_threshold": "the same", "phases": "the same", "dispatched": PROFILE},
    ("../parts/tag_array.h", "tag_array"): {"by_mask": SET_UP, "policy": SET_UP},
    ("../parts/replacement.h", "replacement"): {},
    ("../parts/tlb.h", "tlb"): {"buckets": FOUND, "bucket_shift": SET_UP, "policy": SET_UP},
    ("../parts/tlb.h", "tlb_entry"): {"chained": FOUND},
    ("../parts/miss_intervals.h", "miss_intervals_span"): {},
}


def members(header, name):
    """Names of the members of a struct, those of structs within it included."""
    plain = re.sub(r"/\*.*?\*/", "", header, flags=re.DOTALL)
    body = re.search(rf"struct {name} \{{(.*?)\n\}};", plain, re.DOTALL).group(1)
    for declaration in re.sub(r"struct \w* ?\{|\}", ";", body).split(";"):
        for part in re.sub(r"\[[^]]*\]|:\s*\d+", "", declaration).split(","):
            if found := re.search(r"(\w+)\s*$", part):
                yield found[1]


def check(root):
    cores = Path(root, "src/cores")
    source = (cores / "neoverse/slices.c").read_text(encoding="utf-8")
    state = source[source.index("/* ---- the state ---- */"):]
    complaints = []
    for (header, name), need_not in NEED_NOT.items():
        there = list(members((cores / header).read_text(encoding="utf-8"), name))
        complaints += [f"struct {name}: '{member}' is not in the digest of slices.c, nor in slice_state.py with a reason"
                       for member in there
                       if member not in need_not and not re.search(rf"(->|\.){member}\b", state)]
        complaints += [f"struct {name}: slice_state.py has a reason for '{member}', which is not there"
                       for member in need_not if member not in there]
    return complaints


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "each member of the state is in the digest or has its reason")
    sys.exit(1 if found else 0)
