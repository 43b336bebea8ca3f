// 16 additions that each need the one before: a cycle each, the loop's own work beside them.
// kernel: dependent adds: 16 additions to one register
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 16 * N
// expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   16
        add     x1, x1, #1
        .endr
        repeat  x9
        finish
