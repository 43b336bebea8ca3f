// 20 additions that each need the one before: a cycle each, the loop's own work beside them.
// proves: 0x0011 a chain of additions takes its latency
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 20 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   20
        add     x1, x1, #1
        .endr
        repeat  x9
        finish
