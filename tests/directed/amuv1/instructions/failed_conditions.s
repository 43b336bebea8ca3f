// CSEL that takes nothing, CCMP whose condition fails and a branch not taken are executed all the
// same; what a taken branch jumps over is not.
// proves: 0x0008 instructions whose condition fails count, those that a branch skips do not
// vary: N = 10, 100
// expect-change: INST_RETIRED = 7 * N
        .include "directed.inc"
_start: number  x9, N
loop:   cmp     x9, #0
        csel    x2, x3, x4, eq
        ccmp    x9, #5, #0, eq
        b.eq    loop
        b       on
        .rept   20
        add     x5, x5, #1
        .endr
on:     sub     x9, x9, #1
        cbnz    x9, loop
        finish
