// N times a branch on a pseudo-random bit, the first of two in a loop, on a machine of five slots.
//
// A misprediction costs 11 cycles on a V1 and 10 on an N2; in 7 and 6 of them the wrong path is dispatched, in the other
// four nothing. So level 1 of top-down says bad speculation, not front end: of all slots at most a quarter are lost to
// something else than those four cycles. A quarter and more of the branches are predicted wrongly.
// proves: 0x003F after a misprediction four cycles dispatch nothing
// proves: 0x003E what a misprediction costs is not all the front end's
// set: dispatch.width = 5
// vary: N = 1000, 5000
// expect-change: BR_MIS_PRED >= N // 4
// expect-change: STALL_SLOT >= 4 * 5 * BR_MIS_PRED
// expect-change: STALL_SLOT - 4 * 5 * BR_MIS_PRED <= 5 * CPU_CYCLES // 4
// expect-change: STALL_SLOT_FRONTEND <= 4 * 5 * BR_MIS_PRED + 5 * CPU_CYCLES // 4
// expect-change: OP_SPEC - OP_RETIRED >= 5 * 5 * BR_MIS_PRED
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
