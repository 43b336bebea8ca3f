// A load in each of 128 pages, more than both TLBs have. Level 2 has the four descriptors of each.
// proves: 0x0034 each is walked for
// proves: 0x002D each fills the second TLB
// proves: 0x005C for a load
// proves: 0x005D none for a store
// proves: 0x0035 none for code
// proves: 0x0050 a walk reads level 2 once a descriptor
// proves: 0x0052 level 2 has them
// set: l1d.size_kb = 4
// set: l2.size_kb = 1024
// set: l2tlb.entries = 32
// set: l2tlb.ways = 4
// set: walk.levels = 4
// let: LINES = 128
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: DTLB_WALK = 128 * N
// expect-change: L2D_TLB_REFILL = 128 * N
// expect-change: L2D_TLB_REFILL_RD = 128 * N
// expect-change: L2D_TLB_REFILL_WR = 0
// expect-change: ITLB_WALK = 0
// expect-change: L2D_CACHE_RD = 128 * 5 * N
// expect-change: L2D_CACHE_REFILL_RD = 0
        .include "directed.inc"
        chase
