// The program "unaligned" of the Cortex-A53.
// proves: 0x000F those of the odd address count
// vary: N = 100, 600
// expect-change: UNALIGNED_LDST_RETIRED = 2 * N
// expect-change: LD_RETIRED = 2 * N
// expect-change: ST_RETIRED = 2 * N
        .include "../cortex_a53/memory/unaligned.s"
