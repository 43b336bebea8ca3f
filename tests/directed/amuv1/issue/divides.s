// 8 independent divisions: one divider, which takes one every 5 cycles.
// proves: 0x0011 divisions wait for the divider
// set: latency.divide = 12
// set: latency.divide_interval = 5
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * 5 * N
        .include "directed.inc"
_start: number  x9, N
        mov     x10, #1000
        mov     x11, #7
loop:   .rept   8
        udiv    x1, x10, x11
        .endr
        repeat  x9
        finish
