// The same with stores: what level 1 loses is written, and goes through level 2.
// proves: 0x0048 level 1 loses written lines, too
// proves: 0x0015 what it loses is written back
// proves: 0x0046 it makes room
// proves: 0x0056 level 2 passes it on
// set: l1d.size_kb = 64
// set: l2.size_kb = 16
// let: LINES = 512
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_INVAL = 512 * N
// expect-change: L1D_CACHE_REFILL_WR = 512 * N
// expect-change: L1D_CACHE_WB = 512 * N
// expect-change: L1D_CACHE_WB_VICTIM = 512 * N
// expect-change: L2D_CACHE_WB_VICTIM = 512 * N
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
