// 20 additions of the one before, shifted: that is needed a cycle early. Nothing is issued in the second cycle of each but
// the last, in which the branch is.
// proves: 0x00E4 a shifted operand holds an instruction for a cycle
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 40 * N
// expect-change: OTHER_INTERLOCK_STALL = 19 * N
// expect-change: AGU_DEP_STALL = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   20
        add     x1, x2, x1, lsl #1
        .endr
        repeat  x9
        finish
