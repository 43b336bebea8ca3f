// The program "halves" of the Cortex-A53.
// proves: 0x0011 two vectors of 64 bits go together, or one of 128 bits
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 + 8 + 4 + 1) * N
        .include "../cortex_a53/vector/halves.s"
