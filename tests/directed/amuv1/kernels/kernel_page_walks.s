// One pointer a page through 4096 pages, more than both TLBs have: each load waits for the second TLB,
// 3 cycles, a walk whose descriptors level 2 has, 20, and level 2, 10.
// kernel: page walks: 4096 pointers, each in a page the TLBs have lost
// set: l1d.size_kb = 4
// set: l2.size_kb = 4096
// set: l2.hit_cycles = 10
// set: l2tlb.cycles = 3
// set: walk.cycles = 20
// let: LINES = 4096
// let: STEP = 4160
// vary: N = 2, 5
// expect-change: CPU_CYCLES = LINES * (3 + 20 + 10) * N
// expect-change: INST_RETIRED = 3 * LINES * N
        .include "directed.inc"
        chase
