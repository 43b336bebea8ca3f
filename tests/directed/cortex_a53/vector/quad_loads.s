// 4 loads of 128 bits: two cycles each. 4 of four registers: 8 cycles. As many stores: one cycle, and 4.
// proves: 0x0011 a vector load takes a cycle for each 8 bytes, a store for each 16
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * (2 + 8 + 1 + 4) * N + N
        .include "directed.inc"
        rounds
        .rept   4
        ldr     q1, [x2]
        .endr
        .rept   4
        ld1     {v4.4s-v7.4s}, [x2]
        .endr
        .rept   4
        str     q1, [x2]
        .endr
        .rept   4
        st1     {v4.4s-v7.4s}, [x2]
        .endr
        end_rounds
