// 128 KB in turn never stay in 64 KB that keep what was used last: each load takes level 2's lookup,
// 10 cycles, and the 70 of the shared cache, which has them all.
// kernel: pointer chase, shared cache: 2048 pointers in 128 KB
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: l2.hit_cycles = 10
// set: llc.hit_cycles = 70
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 5
// expect-change: CPU_CYCLES = LINES * (10 + 70) * N
// expect-change: INST_RETIRED = 3 * LINES * N
// expect-change: STALL_BACKEND_MEM = LINES * 70 * N
        .include "directed.inc"
        chase
