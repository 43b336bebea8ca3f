// A load that misses in each round, into a register that nobody reads, and 40 additions in pairs: 8 instructions are issued after it, the
// ninth waits. It is one cycle of 4 before that the load has none of its 17.
// proves: 0x00E7 a late load holds the ninth instruction after it
// set: l1d.size_kb = 4
// let: LINES = 128
// let: STEP = 64
// vary: N = 4, 6, 9
// expect-change: LD_DEP_STALL = 128 * 13 * N
// expect-change: L1D_CACHE_REFILL = 128 * N
        .include "directed.inc"
_start: mov     x10, #N
again:  address x1, buffer
        number  x9, LINES
        .balign 64
loop:   ldr     x2, [x1], #STEP
        add     x3, x5, #1
        .rept   20
        add     x4, x5, #1
        add     x6, x5, #1
        .endr
        repeat  x9
        repeat  x10, again
        finish
        zeroed  buffer, LINES*STEP, 4096
