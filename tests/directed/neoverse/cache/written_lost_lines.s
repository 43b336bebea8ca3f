// The same of lines that are written: the data cache gets each written from level 2, still to be written back.
// proves: 0x0015 each line that the data cache loses is one that was written
// proves: 0x0051 stores that miss ask level 2, and each line that is lost is written there
// proves: 0x0018 level 2 loses none
// proves: 0x0061 none leaves the core
// set: prefetch.store_lines = 0
// set: l1d.size_kb = 64
// set: l2.size_kb = 64
// set: l2.holds = victims
// set: l2.shared = no
// let: LINES = 1536
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_WB = 1536 * N
// expect-change: L2D_CACHE_WR = 2 * 1536 * N
// expect-change: L2D_CACHE_WB = 0
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: BUS_ACCESS_WR = 0
        .include "directed.inc"
_start: passes  str     x9, [x1], #64
        finish_lines
