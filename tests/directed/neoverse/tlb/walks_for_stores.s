// The same with stores.
// proves: 0x0034 stores are walked for, too
// proves: 0x002D each fills the second TLB
// proves: 0x005D for a store
// proves: 0x005C none for a load
// set: l1d.size_kb = 4
// set: l2.size_kb = 1024
// set: l2tlb.entries = 32
// set: l2tlb.ways = 4
// set: walk.levels = 4
// let: LINES = 128
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: DTLB_WALK = 128 * N
// expect-change: L2D_TLB_REFILL = 128 * N
// expect-change: L2D_TLB_REFILL_WR = 128 * N
// expect-change: L2D_TLB_REFILL_RD = 0
        .include "directed.inc"
_start: link
        number  x9, N
pass:   address x1, buffer
        number  x8, LINES
loop:   str     x2, [x1]
        number  x3, STEP
        add     x1, x1, x3
        repeat  x8
        repeat  x9, pass
        finish
        zeroed  buffer, LINES*STEP, 4096
