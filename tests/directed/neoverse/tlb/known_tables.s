// A load in each of 128 pages, more than both TLBs have, of one table: after the first walk each
// begins there and reads its one descriptor.
// proves: 0x0050 a walk reads the descriptors of no table that the walk cache knows
// set: l1d.size_kb = 4
// set: l2.size_kb = 1024
// set: l2tlb.entries = 32
// set: l2tlb.ways = 4
// set: walk.levels = 4
// set: walk.cache_entries = 2
// let: LINES = 128
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: DTLB_WALK = 128 * N
// expect-change: L2D_CACHE_RD = 128 * 2 * N
// expect-change: L2D_CACHE_REFILL_RD = 0
        .include "directed.inc"
        chase
