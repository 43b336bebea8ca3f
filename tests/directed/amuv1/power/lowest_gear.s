// One vector instruction every 100 cycles, in periods of 100: with a threshold of 0 every period has
// activity above it.
// proves: 0x0302 any activity is above a threshold of 0
// set: mpmm.period_cycles = 100
// set: mpmm.gear2_threshold = 0
// vary: N = 10, 100, 500
// expect-change: CPU_CYCLES = 100 * N
// expect-change: MPMM_GEAR2 = N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   99
        add     x1, x1, #1
        .endr
        fmov    d1, #1.0
        add     x1, x1, #1
        repeat  x9
        finish
