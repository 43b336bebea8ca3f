// 20 additions that each need the one before: a cycle each, the loop's own work beside them.
// proves: 0x0011 a chain of additions takes its latency
// proves: 0x00E4 in each of its cycles one is issued
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 20 * N
// expect-change: OTHER_INTERLOCK_STALL = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   20
        add     x1, x1, #1
        .endr
        repeat  x9
        finish
