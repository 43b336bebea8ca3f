// Four divisions of single precision that need each other, 10 cycles each, and four of double precision, 15 each.
// proves: 0x0011 divisions of double precision have a latency of their own
// set: latency.float_divide = 10
// set: latency.float_divide_interval = 7
// set: latency.float_divide_double = 15
// set: latency.float_divide_double_interval = 9
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 4 * (10 + 15) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   4
        fdiv    s1, s1, s2
        .endr
        .rept   4
        fdiv    d1, d1, d2
        .endr
        repeat  x9
        finish
