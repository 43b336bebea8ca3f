// The program "float_chain" of the Cortex-A53.
// proves: 0x00E6 a floating-point operand holds an instruction
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 40 * N
// expect-change: STALL_BACKEND_ILOCK_FPU = (3 * 10 - 1) * N
        .include "../cortex_a53/vector/float_chain.s"
