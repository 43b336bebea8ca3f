// The program "shared_chase" of the Neoverse cores.
// proves: 0x0044 the shared cache is within the cluster
// proves: 0x0045 nothing comes from outside
// proves: 0x002B each miss of level 2 asks it
// proves: 0x00A0 each is a read
// proves: 0x002A it has all
// proves: 0x0029 nothing is written to it
// proves: 0x0036 it is the last level
// proves: 0x0037 it has all
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL_INNER = 2048 * N
// expect-change: L1D_CACHE_REFILL_OUTER = 0
// expect-change: L3D_CACHE = 2048 * N
// expect-change: L3D_CACHE_RD = 2048 * N
// expect-change: L3D_CACHE_REFILL = 0
// expect-change: L3D_CACHE_ALLOCATE = 0
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: LL_CACHE_MISS_RD = 0
        .include "../neoverse/cache/shared_chase.s"
