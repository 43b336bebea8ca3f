// A loop of 10 different instructions, and 8 around it.
// proves: 0x0008 every executed instruction counts once, whatever it is
// vary: N = 1, 10, 1000
// expect: INST_RETIRED = 10 * N + 8
// expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
        movi    v1.16b, #3
loop:   add     x2, x9, x9, lsl #3
        mul     x3, x2, x9
        str     x3, [x1]
        ldp     x4, x5, [x1]
        fmul    v2.4s, v1.4s, v1.4s
        csel    x6, x4, x5, eq
        cbz     x9, out
        nop
        repeat  x9
out:    finish
        zeroed  buffer, 64
