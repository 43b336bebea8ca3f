// A data cache of 48 KB has 768 sets of one line: lines 48 KB apart share one, lines 32 KB apart do
// not. Three loads a round, of which two throw each other out.
// proves: 0x0042 sets are no power of two
// set: l1d.size_kb = 48
// set: l1d.ways = 1
// vary: N = 100, 600
// expect-change: L1D_CACHE_REFILL_RD = 2 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x2, x1, #8, lsl #12
        add     x3, x1, #12, lsl #12
        number  x9, N
loop:   ldr     x4, [x1]
        ldr     x5, [x2]
        ldr     x6, [x3]
        repeat  x9
        finish
        zeroed  buffer, 13*4096, 4096
