// The same with stores.
// proves: 0x0005 stores miss it, too
// proves: 0x004D each is a store
// proves: 0x004C none is a load
// proves: 0x002F each asks the second
// proves: 0x005F for a store
// proves: 0x005E none for a load
// proves: 0x005D the second has all
// let: LINES = 128
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: L1D_TLB_REFILL = 128 * N
// expect-change: L1D_TLB_REFILL_WR = 128 * N
// expect-change: L1D_TLB_REFILL_RD = 0
// expect-change: L2D_TLB = 128 * N
// expect-change: L2D_TLB_WR = 128 * N
// expect-change: L2D_TLB_RD = 0
// expect-change: L2D_TLB_REFILL_WR = 0
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
