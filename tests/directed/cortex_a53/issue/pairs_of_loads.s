// 4 loads of two registers: 16 bytes, alone in two cycles each.
// proves: 0x0011 8 bytes are loaded in a cycle
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 * 2 + 1) * N
// expect-change: L1D_CACHE = 4 * N
        .include "directed.inc"
        rounds
        .rept   4
        ldp     x3, x4, [x2]
        .endr
        end_rounds
