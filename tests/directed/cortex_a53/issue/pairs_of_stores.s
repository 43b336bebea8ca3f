// 4 stores of two registers: 16 bytes, alone in a cycle each.
// proves: 0x0011 16 bytes are stored in a cycle
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 + 1) * N
// expect-change: ST_DEP_STALL = 0
        .include "directed.inc"
        rounds
        .rept   4
        stp     x3, x4, [x2]
        .endr
        end_rounds
