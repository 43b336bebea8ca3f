// 512 lines that level 1 has room for and level 2 has not: each load makes level 2 lose a line, and level 1
// with it.
// proves: 0x0048 level 1 loses what level 2 loses
// proves: 0x0042 so each load misses
// proves: 0x0015 what was not written is not written back
// proves: 0x0058 that is no maintenance
// set: l1d.size_kb = 64
// set: l2.size_kb = 16
// let: LINES = 512
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_INVAL = 512 * N
// expect-change: L1D_CACHE_REFILL_RD = 512 * N
// expect-change: L1D_CACHE_WB = 0
// expect-change: L2D_CACHE_INVAL = 0
        .include "directed.inc"
        chase
