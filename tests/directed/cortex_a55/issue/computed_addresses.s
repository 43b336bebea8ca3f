// The program "computed_addresses" of the Cortex-A53.
// proves: 0x00E5 an address that was added comes after 3 cycles
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (8 * 2 + 1) * N
// expect-change: STALL_BACKEND_ILOCK_AGU = 8 * N
        .include "../cortex_a53/issue/computed_addresses.s"
