// What the next bit needs is what is left of the dividend: a subtraction with a shifted operand, 2
// cycles for the upper 11 bits, 1 for the lower 5 with a shift by at most 4, and the choice, 1. 16
// bits and the addition of a new dividend to what is left.
// kernel: division by software: 16 bits of a quotient, by shift and subtraction
// set: latency.shift = 2
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (11 * (2 + 1) + 5 * (1 + 1) + 1) * N
// expect-change: INST_RETIRED = (16 * 3 + 3) * N
        .include "directed.inc"
_start: number  x9, N
        number  x8, 50000
        mov     x1, #7
loop:   add     x0, x0, x8
        .irp    bit, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
        subs    x3, x0, x1, lsl #\bit
        csel    x0, x3, x0, cs
        adc     x2, x2, x2
        .endr
        repeat  x9
        finish
