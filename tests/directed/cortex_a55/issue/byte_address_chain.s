// The program "byte_address_chain" of the Cortex-A53.
// proves: 0x00E5 an address that is no whole register comes a cycle later
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 3 * N
// expect-change: STALL_BACKEND_ILOCK_AGU = N
        .include "../cortex_a53/issue/byte_address_chain.s"
