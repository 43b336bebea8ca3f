// A loop reads an array as large as level 1, in pages that lie scattered. Level 1 is indexed by virtual addresses, so each set
// gets four of its lines, and all stay.
// proves: 0x0003 no load misses once all lines are there
// proves: 0x0040 each load is an access
// set: memory.page_map = scattered
// set: l1d.index = virtual
// set: l1d.size_kb = 64
// set: l1d.ways = 4
// let: LINES = 1024
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 0
// expect-change: L1D_CACHE_RD = 1024 * N
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
