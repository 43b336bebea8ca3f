// 10 multiplications that each need the one before.
// proves: 0x0011 a chain of multiplications takes their latency
// set: latency.multiply = 3
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 10 * 3 * N
        .include "directed.inc"
_start: number  x9, N
        mov     x1, #3
loop:   .rept   10
        mul     w1, w1, w1
        .endr
        repeat  x9
        finish
