// A chase with one load a page through 4096 pages: more than both TLBs have, so each load waits for
// the second one (3 cycles), for a walk whose descriptors level 2 has (20), and for level 2 (10).
// Lines are 4096 + 64 bytes apart, so that they do not all lie in the same sets.
// proves: 0x4005 table walks are no memory stall
// proves: 0x0011 a translation that no TLB has costs a walk
// set: l1d.size_kb = 4
// set: l2.size_kb = 4096
// set: l2tlb.cycles = 3
// set: walk.cycles = 20
// let: LINES = 4096
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES = 4096 * (3 + 20 + 10) * N
// expect-change: STALL_BACKEND_MEM = 0
        .include "directed.inc"
_start: link
        number  x9, 4096 * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
