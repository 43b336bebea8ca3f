// 10 sums of floating-point numbers that each need the one before: 4 cycles each, in three of which nothing is issued; the last
// one's second has the branch.
// proves: 0x00E6 a floating-point operand holds an instruction
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 40 * N
// expect-change: SIMD_DEP_STALL = (3 * 10 - 1) * N
// expect-change: OTHER_INTERLOCK_STALL = 0
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   10
        fadd    d1, d1, d2
        .endr
        repeat  x9
        finish
