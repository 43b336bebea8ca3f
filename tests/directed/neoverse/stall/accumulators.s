// Ten multiply-accumulates that do not need each other: one of the two units that multiply has
// accumulators, so one is issued each cycle.
// proves: 0x0011 multiply-accumulates of integers have one unit
// set: units.multicycle = 2
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 10 * N
        .include "directed.inc"
_start: number  x9, N
        mov     w8, #3
        mov     w7, #5
loop:   .irp    n, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
        madd    w\n, w8, w8, w7
        .endr
        repeat  x9
        finish
