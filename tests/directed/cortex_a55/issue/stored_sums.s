// The program "stored_sums" of the Cortex-A53.
// proves: 0x0007 each store counts
// proves: 0x00E5 an address that an access updates is there for the next
// proves: 0x00E4 the data of a store may come late
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (8 + 1) * N
// expect-change: ST_RETIRED = 8 * N
// expect-change: STALL_BACKEND_ILOCK_AGU = 0
        .include "../cortex_a53/issue/stored_sums.s"
