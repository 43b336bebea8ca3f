// Level 2 holds what the data cache has lost, and nothing that it has: 1024 lines each, and the loop reads 1536. Each load
// takes its line out of level 2, which gets the line that the data cache loses.
// proves: 0x0016 each line is read, and another one written
// proves: 0x0050 each load reads
// proves: 0x0051 a clean line that the data cache loses is written to level 2
// proves: 0x0020 so it is allocated there without a refill
// proves: 0x0017 none has to come from beyond
// proves: 0x0015 a clean line is no write-back
// proves: 0x0061 none leaves the core
// set: l1d.size_kb = 64
// set: l2.size_kb = 64
// set: l2.holds = victims
// set: l2.shared = no
// let: LINES = 1536
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 1536 * N
// expect-change: L1D_CACHE_WB = 0
// expect-change: L2D_CACHE = 2 * 1536 * N
// expect-change: L2D_CACHE_RD = 1536 * N
// expect-change: L2D_CACHE_WR = 1536 * N
// expect-change: L2D_CACHE_ALLOCATE = 1536 * N
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: BUS_ACCESS_WR = 0
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
