// A load and a store of an odd address and of an aligned one a round.
// proves: 0x000F those of the odd address count
// vary: N = 100, 600
// expect-change: UNALIGNED_LDST_RETIRED = 2 * N
// expect-change: LD_RETIRED = 2 * N
// expect-change: ST_RETIRED = 2 * N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
        mov     x3, #1
        .balign 64
loop:
        ldr     x2, [x1, x3]
        str     x4, [x1, x3]
        ldr     x2, [x1]
        str     x4, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 4096
