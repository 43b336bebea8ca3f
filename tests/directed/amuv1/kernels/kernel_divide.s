// Each quotient is there after 12 cycles, for the next division.
// kernel: dependent divides: 4 divisions of 32 bits
// set: latency.divide = 12
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * 12 * N
// expect-change: INST_RETIRED = 6 * N
        .include "directed.inc"
_start: number  x9, N
        mov     w1, #1000
        mov     w2, #1
loop:   .rept   4
        udiv    w1, w1, w2
        .endr
        repeat  x9
        finish
