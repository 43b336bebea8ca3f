// A load and a store, 4 times: one of them in a cycle, an addition beside each.
// proves: 0x0011 there is one load/store pipe
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (8 + 1) * N
        .include "directed.inc"
        rounds
        .rept   4
        ldr     x3, [x2]
        add     x4, x5, #1
        str     x6, [x2, #8]
        add     x7, x5, #1
        .endr
        end_rounds
