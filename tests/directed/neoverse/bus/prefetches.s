// A prefetcher is a line ahead of loads that wait for nothing, within a page. A load asks for the
// first line of each of 32 pages and, where the loads begin anew, for the 3 until their stride is
// known again; the prefetcher asks for all others, and the next load finds them still on their way.
// It asks level 2 at each load but the last of a page and the first 3 of all.
// proves: 0x00A0 prefetches read the shared cache
// proves: 0x0036 and the last level
// proves: 0x0060 and pass over the bus
// proves: 0x0016 and ask level 2
// proves: 0x0017 a load that finds its line on the way counts as its refill
// proves: 0x0042 it is one of level 1
// set: bus.width_bits = 256
// set: prefetch.lines = 1
// set: prefetch.pages = no
// set: window.misses = 64
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L3D_CACHE_RD = 2048 * N
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: BUS_ACCESS_RD = 2 * 2048 * N
// expect-change: L2D_CACHE = (2048 + 32 * 63 - 3) * N
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: L1D_CACHE_REFILL_RD = 2048 * N
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
