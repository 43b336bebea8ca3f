// Stores from line to line, with ten divisions from each to the next, which take longer than the
// shared cache: the prefetcher, a line ahead in level 2 and within a page, is in time for all but the
// first line of each of 32 pages and, where the stores begin anew, the 3 until their stride is known.
// proves: 0x0053 stores are followed into level 2
// proves: 0x0043 not into level 1
// set: prefetch.store_lines = 1
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL_WR = (32 + 3) * N
// expect-change: L1D_CACHE_REFILL_WR = 2048 * N
        .include "directed.inc"
_start: mov     x8, #N
        mov     x2, #1
again:  address x1, buffer
        number  x9, LINES
loop:   str     x2, [x1]
        add     x1, x1, #64
        .rept   10
        udiv    x1, x1, x2
        .endr
        repeat  x9
        repeat  x8, again
        finish
        zeroed  buffer, LINES*64, 4096
