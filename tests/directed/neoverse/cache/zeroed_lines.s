// DC ZVA of 2048 lines, of which level 1 holds 64: each is one store, which misses.
// proves: 0x0041 DC ZVA writes level 1
// proves: 0x0043 a line that it does not have is a refill
// set: l1d.size_kb = 4
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_WR = LINES * N
// expect-change: L1D_CACHE_REFILL_WR = LINES * N
        .include "directed.inc"
_start: mov     x8, #N
again:  address x1, buffer
        number  x9, LINES
loop:   dc      zva, x1
        add     x1, x1, #64
        repeat  x9
        repeat  x8, again
        finish
        zeroed  buffer, LINES*64, 4096
