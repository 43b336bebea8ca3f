// A store to each of 2048 lines, more than both caches have, round after round: each line leaves both, written.
// proves: 0x0015 a written line leaves the data cache
// proves: 0x0018 and level 2
// proves: 0x0061 in four transfers
// proves: 0x0016 level 2 is asked for it, and takes it
// proves: 0x00C0 a request each way
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_WB = 2048 * N
// expect-change: L2D_CACHE_WB = 2048 * N
// expect-change: L2D_CACHE = 2 * 2048 * N
// expect-change: BUS_ACCESS_RD = 4 * 2048 * N
// expect-change: BUS_ACCESS_WR = 4 * 2048 * N
// expect-change: EXT_MEM_REQ = 2 * 2048 * N
        .include "directed.inc"
_start: mov     x10, #N
again:  address x1, buffer
        number  x9, 2048
loop:   str     x9, [x1], #64
        repeat  x9
        repeat  x10, again
        finish
        zeroed  buffer, 2048*64, 4096
