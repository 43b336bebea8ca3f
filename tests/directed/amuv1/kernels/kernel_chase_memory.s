// 128 KB in turn never stay in 64 KB that keep what was used last, and there is no shared cache: each
// load takes level 2's lookup, 10 cycles, and the 260 of memory.
// kernel: pointer chase, memory: 2048 pointers in 128 KB
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: l2.hit_cycles = 10
// set: llc.size_kb = 0
// set: memory.latency_cycles = 260
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 5
// expect-change: CPU_CYCLES = LINES * (10 + 260) * N
// expect-change: INST_RETIRED = 3 * LINES * N
// expect-change: STALL_BACKEND_MEM = LINES * 260 * N
        .include "directed.inc"
        chase
