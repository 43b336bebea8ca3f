// A store of the sum beside the addition, to the next address each: one cycle for both.
// proves: 0x0007 each store counts
// proves: 0x00E5 an address that an access updates is there for the next
// proves: 0x00E4 the data of a store may come late
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (8 + 1) * N
// expect-change: ST_RETIRED = 8 * N
// expect-change: AGU_DEP_STALL = 0
// expect-change: OTHER_INTERLOCK_STALL = 0
        .include "directed.inc"
        rounds
        .rept   4
        add     x1, x1, #1
        str     x1, [x2], #8
        add     x1, x1, #1
        str     x1, [x2], #-8
        .endr
        end_rounds
