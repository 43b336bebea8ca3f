// The preloads of preload_forms as firmware: the engine sees registers there, too.
// proves: 0x0040 a preload for level 1 looks it up
// proves: 0x0016 each asks level 2
// engine: bare
// set: llc.size_kb = 1024
// vary: N = 8, 16, 24
// expect-change: L1D_CACHE_RD = 5 * N
// expect-change: L2D_CACHE_RD = 8 * N
// expect-change: L3D_CACHE_RD = 8 * N
// expect-change: L1D_CACHE_REFILL_RD = 0
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: DTLB_WALK = 0
        .include "cache/preload_forms.s"
