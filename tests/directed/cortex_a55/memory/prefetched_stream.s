// The program "prefetched_stream" of the Cortex-A53.
// proves: 0x00C2 lines are brought ahead of loads
// proves: 0x0003 loads that find them bring none
// set: prefetch.lines = 5
// set: prefetch.l1_lines = 5
// set: memory.latency_cycles = 20
// expect: L1D_CACHE_REFILL_PREFETCH >= 4096 * 3 // 4
// expect: L1D_CACHE_REFILL <= 4096 // 4
        .include "../cortex_a53/memory/prefetched_stream.s"
