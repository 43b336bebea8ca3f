// 31 independent additions and the SUBS, for four integer units: 8 cycles.
// kernel: independent adds: 31 additions that need none of each other
// set: units.integer = 4
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * N
// expect-change: INST_RETIRED = 33 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        add     x1, x10, #1
        add     x2, x10, #1
        add     x3, x10, #1
        .endr
        add     x4, x10, #1
        repeat  x9
        finish
