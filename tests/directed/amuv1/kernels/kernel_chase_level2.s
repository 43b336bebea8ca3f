// 128 KB in turn never stay in 4 KB that keep what was used last; level 2 has them all, and each load
// takes its 10 cycles.
// kernel: pointer chase, level 2: 2048 pointers in 128 KB
// set: l1d.size_kb = 4
// set: l2.size_kb = 256
// set: l2.hit_cycles = 10
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 5
// expect-change: CPU_CYCLES = LINES * 10 * N
// expect-change: INST_RETIRED = 3 * LINES * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
        chase
