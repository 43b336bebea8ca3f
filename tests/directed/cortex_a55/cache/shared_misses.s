// The program "shared_misses" of the Neoverse cores, whose shared cache is as small as level 2.
// proves: 0x002A what the shared cache misses
// proves: 0x0037 the last level misses each
// proves: 0x0045 each comes from outside
// proves: 0x00A2 those reads count once more
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 64
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L3D_CACHE_REFILL = 2048 * N
// expect-change: L3D_CACHE_REFILL_RD = 2048 * N
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: LL_CACHE_MISS_RD = 2048 * N
// expect-change: L1D_CACHE_REFILL_INNER = 0
// expect-change: L1D_CACHE_REFILL_OUTER = 2048 * N
        .include "../neoverse/cache/shared_misses.s"
