// A load after a sum of 128 bits is issued beside it; a sum after a load is not: it is the first of its cycle. A load of 64 bits of
// a vector takes half of the datapath, so it goes with a sum of 64 bits and not with one of 128.
// proves: 0x0011 what may be issued beside a vector depends on its width
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 + 4 + 8 + 1) * N
        .include "directed.inc"
        rounds
        .rept   4
        add     v3.4s, v5.4s, v6.4s
        ldr     x3, [x2]
        .endr
        .rept   4
        ldr     d1, [x2]
        add     v3.2s, v5.2s, v6.2s
        .endr
        .rept   4
        ldr     d1, [x2]
        add     v3.4s, v5.4s, v6.4s
        .endr
        end_rounds
