// 32 instructions a round: 16 additions for four integer units, 8 for four vector units, 7 loads
// for three load units, and the branch. Eight a cycle: 4 cycles.
// proves: 0x0011 no more than the width of dispatch is done in a cycle
// proves: 0x0008 the width bounds instructions by cycles
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * N
// expect-change: INST_RETIRED = 32 * N
        .include "directed.inc"
_start: number  x9, N
        address x8, buffer
loop:   .rept   7
        add     x1, x10, #1
        add     x2, x10, #1
        movi    v1.16b, #1
        ldr     x3, [x8]
        .endr
        add     x4, x10, #1
        movi    v2.16b, #1
        repeat  x9
        finish
        zeroed  buffer, 64
