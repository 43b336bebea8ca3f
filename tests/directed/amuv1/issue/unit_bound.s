// 38 independent additions and the SUBS of the loop, four integer units: 39 / 4 cycles a round. Two
// rounds are 78 of them: 20 cycles are too many for 78, so N counts double rounds of 39 * 2 + 2 = 80.
// proves: 0x0011 independent additions are limited by the integer units
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 20 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   13
        add     x1, x10, #1
        add     x2, x10, #1
        add     x3, x10, #1
        add     x4, x10, #1
        add     x5, x10, #1
        add     x6, x10, #1
        .endr
        add     x7, x10, #1
        repeat  x9
        finish
