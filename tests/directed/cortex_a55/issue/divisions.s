// The program "divisions" of the Cortex-A53.
// proves: 0x00E4 a division waits for the divider
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * 8 * N
        .include "../cortex_a53/issue/divisions.s"
