// Each quotient is there after 10 cycles, for the next division.
// kernel: floating-point divide: 4 divisions, single precision
// set: latency.float_divide = 10
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * 10 * N
// expect-change: INST_RETIRED = 6 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   4
        fdiv    s0, s0, s1
        .endr
        repeat  x9
        finish
