// The chase of prefetches_in_time, followed from page to page: only the lines are misses until its
// stride is known again, where it begins anew. Its 32 pages stay in the data TLB.
// proves: 0x0003 loads are followed across pages
// proves: 0x0017 into level 2, too
// set: dtlb.entries = 48
// set: prefetch.lines = 1
// set: prefetch.l1_lines = 1
// set: prefetch.pages = yes
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 4 * N
// expect-change: L2D_CACHE_REFILL = 4 * N
// expect-change: L1D_TLB_REFILL = 0
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
