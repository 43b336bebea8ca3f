// Loads from line to line with ten divisions from each to the next, which take longer than the shared
// cache, and a preload of the next line beside each: only the first line of a pass is a miss. Level 2
// is asked for it and for 2048 lines by preloads, and has none of them, since more are in use than it
// has room for.
// proves: 0x0003 a preload in time leaves no refill of level 1
// proves: 0x0017 and none of level 2
// proves: 0x0040 it looks level 1 up
// proves: 0x0016 and asks level 2
// proves: 0x00A0 and the shared cache
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = N
// expect-change: L2D_CACHE_REFILL = N
// expect-change: L1D_CACHE_RD = 2 * 2048 * N
// expect-change: L2D_CACHE_RD = 2049 * N
// expect-change: L3D_CACHE_RD = 2049 * N
        .include "directed.inc"
_start: mov     x8, #N
        mov     x2, #1
again:  address x1, buffer
        number  x9, LINES
loop:   ldr     x3, [x1]
        prfm    pldl1keep, [x1, #64]
        add     x1, x1, #64
        .rept   10
        udiv    x1, x1, x2
        .endr
        repeat  x9
        repeat  x8, again
        finish
        zeroed  buffer, (LINES+1)*64, 4096
