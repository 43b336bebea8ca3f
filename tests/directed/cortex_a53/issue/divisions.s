// 4 divisions of nothing in common: the divider takes 8 cycles for each. In the cycle after the last one the loop's branch is issued.
// proves: 0x00E4 a division waits for the divider
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * 8 * N
// expect-change: OTHER_INTERLOCK_STALL = (4 * 7 - 1) * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   2
        udiv    x1, x5, x6
        udiv    x2, x5, x6
        .endr
        repeat  x9
        finish
