// A chase from line to line with ten divisions from each to the next, which take longer than the
// shared cache: the prefetcher, a line ahead in level 1 and in level 2, is in time. Only the first
// line of each of 32 pages and, where the chase begins anew, the 3 until its stride is known again
// are misses. The prefetcher asks level 2 for each of the others twice, once for level 1.
// proves: 0x0003 a line that was prefetched in time is no refill of level 1
// proves: 0x0017 and none of level 2
// proves: 0x0016 the prefetcher asks level 2
// proves: 0x00A0 and the shared cache
// set: prefetch.lines = 1
// set: prefetch.l1_lines = 1
// set: prefetch.pages = no
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = (32 + 3) * N
// expect-change: L2D_CACHE_REFILL = (32 + 3) * N
// expect-change: L2D_CACHE = (32 + 3 + 2 * (32 * 63 - 3)) * N
// expect-change: L3D_CACHE_RD = 2048 * N
        .include "directed.inc"
_start: link
        number  x9, LINES * N
        mov     x2, #1
loop:   ldr     x1, [x1]
        .rept   10
        udiv    x1, x1, x2
        .endr
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
