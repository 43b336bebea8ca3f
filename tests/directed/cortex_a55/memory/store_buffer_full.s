// The program "store_buffer_full" of the Cortex-A53.
// proves: 0x00E8 while the store buffer is full
// proves: 0x00EB which is all that stores wait for
// set: store_buffer.drain_cycles = 4
// vary: N = 200, 700
// expect-change: CPU_CYCLES = 4 * N
// expect-change: STALL_BACKEND_ST = 2 * N
// expect-change: STALL_BACKEND_ST_STB = 2 * N
        .include "../cortex_a53/memory/store_buffer_full.s"
