// The program "addition_pairs" of the Cortex-A53.
// proves: 0x0011 two instructions are issued in a cycle
// proves: 0x0008 all count
// proves: 0x001D the bus has the core's clock
// proves: 0x00E4 none waits
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 9 * N
// expect-change: BUS_CYCLES = 9 * N
// expect-change: INST_RETIRED = 18 * N
        .include "../cortex_a53/issue/addition_pairs.s"
