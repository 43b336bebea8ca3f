// A chase of loads through 2048 lines that level 2 holds and level 1 does not, in 32 pages.
// proves: 0x0003 each load misses level 1
// proves: 0x0042 each is a load
// proves: 0x0039 each waits
// proves: 0x0043 none is a store
// proves: 0x0044 level 2 is within the cluster
// proves: 0x0045 nothing comes from outside it
// proves: 0x0016 each asks level 2
// proves: 0x0050 each reads it
// proves: 0x0017 level 2 has all
// proves: 0x0052 level 2 has all
// proves: 0x0015 what is only read is not written back
// proves: 0x0048 what makes room is not invalidated
// proves: 0x4009 level 2 has all
// proves: 0x0036 the last cache is not asked
// proves: 0x0019 nothing leaves the core
// set: l1d.size_kb = 4
// set: l2.size_kb = 256
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 2048 * N
// expect-change: L1D_CACHE_REFILL_RD = 2048 * N
// expect-change: L1D_CACHE_LMISS_RD = 2048 * N
// expect-change: L1D_CACHE_REFILL_WR = 0
// expect-change: L1D_CACHE_REFILL_INNER = 2048 * N
// expect-change: L1D_CACHE_REFILL_OUTER = 0
// expect-change: L2D_CACHE = 2048 * N
// expect-change: L2D_CACHE_RD = 2048 * N
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: L2D_CACHE_REFILL_RD = 0
// expect-change: L2D_CACHE_LMISS_RD = 0
// expect-change: L1D_CACHE_WB = 0
// expect-change: L1D_CACHE_INVAL = 0
// expect-change: LL_CACHE_RD = 0
// expect-change: BUS_ACCESS = 0
        .include "directed.inc"
        chase
