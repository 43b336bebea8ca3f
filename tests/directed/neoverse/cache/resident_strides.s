// N rounds through 64 lines in steps of a line, which lie in level 1 after the first: the prefetcher has nothing to ask for.
// Stores alike.
// proves: 0x0016 a loop over data in level 1 asks level 2 for nothing, prefetcher included
// proves: 0x0005 nor is a page looked up ahead
// vary: N = 10, 100
// expect-change: L1D_CACHE >= 128 * N
// expect-change: L2D_CACHE = 0
// expect-change: L1D_TLB_REFILL = 0
// set: prefetch.lines = 8
// set: prefetch.l1_lines = 2
// set: prefetch.store_lines = 4
// set: prefetch.degree = 2
        .include "directed.inc"
_start: number  x9, N
round:  address x1, buffer
        mov     x2, #64
1:      ldr     x3, [x1]
        str     x3, [x1], #64
        repeat  x2, 1b
        repeat  x9, round
        finish
        zeroed  buffer, 4096, 4096
