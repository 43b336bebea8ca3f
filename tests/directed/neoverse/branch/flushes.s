// N rounds of a branch whose direction is that of a pseudo-random bit, and of the same without it.
// proves: 0x0010 a branch without a pattern is often predicted wrongly
// proves: 0x0022 every wrong prediction is of an executed branch
// vary: N = 1000, 5000
// expect: BR_MIS_PRED = BR_MIS_PRED_RETIRED
// expect-change: BR_MIS_PRED >= N // 4
// expect-change: BR_MIS_PRED <= N * 3 // 4
// expect-change: BR_RETIRED = 2 * N
        .include "directed.inc"
_start: number  x9, N
        number  x1, 0x12345678
        movz    x5, #0x7f2d
        movk    x5, #0x4c95, lsl #16
        movk    x5, #0xf42d, lsl #32
        movk    x5, #0x5851, lsl #48
loop:   mul     x1, x1, x5
        add     x1, x1, #1
        tbz     x1, #60, skip
        nop
skip:   subs    x9, x9, #1
        b.ne    loop
        finish
