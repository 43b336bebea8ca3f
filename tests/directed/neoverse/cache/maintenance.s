// A round stores to three lines, cleans one twice to the point of coherency, cleans and invalidates the second,
// and cleans the third to level 2 alone. Then it invalidates all without a write-back: the next round's stores miss.
// proves: 0x0047 a written line is written back once
// proves: 0x0015 that is a write-back, too
// proves: 0x0046 it makes no room
// proves: 0x0048 one of clean and invalidate, two of invalidate
// proves: 0x0057 level 2 writes back what goes to the point of coherency
// proves: 0x0018 that is a write-back, too
// proves: 0x0056 it makes no room
// proves: 0x0058 level 2 loses them as well
// proves: 0x0061 two beats a line
// proves: 0x0051 three stores miss, and no line makes room for another
// proves: 0x0053 level 2 has lost the lines, too
// engine: bare
// set: bus.width_bits = 256
// set: llc.size_kb = 0
// vary: N = 10, 60
// expect-change: L1D_CACHE_WB_CLEAN = 3 * N
// expect-change: L1D_CACHE_WB = 3 * N
// expect-change: L1D_CACHE_WB_VICTIM = 0
// expect-change: L1D_CACHE_INVAL = 3 * N
// expect-change: L2D_CACHE_WB_CLEAN = 2 * N
// expect-change: L2D_CACHE_WB = 2 * N
// expect-change: L2D_CACHE_WB_VICTIM = 0
// expect-change: L2D_CACHE_INVAL = 3 * N
// expect-change: L2D_CACHE_WR = 3 * N
// expect-change: L2D_CACHE_REFILL_WR = 3 * N
// expect-change: BUS_ACCESS_WR = 4 * N
        .include "directed.inc"
_start: address x0, table               // of 1 GiB blocks: without translation data is no data of the caches
        number  x1, 0x705
        str     x1, [x0]
        msr     ttbr0_el3, x0
        number  x1, 0x80803519
        msr     tcr_el3, x1
        number  x1, 0xff00
        msr     mair_el3, x1
        tlbi    alle3
        dsb     sy
        isb
        mrs     x1, sctlr_el3
        number  x0, 0x1005
        orr     x1, x1, x0
        msr     sctlr_el3, x1
        isb
        address x1, buffer
        add     x2, x1, #64
        add     x3, x1, #128
        number  x9, N
loop:   str     x9, [x1]
        str     x9, [x2]
        str     x9, [x3]
        dc      cvac, x1
        dc      cvac, x1
        dc      civac, x2
        dc      cvau, x3
        dc      ivac, x1
        dc      ivac, x2                // it is not there any more
        dc      ivac, x3
        repeat  x9
        finish
        zeroed  buffer, 192, 64
        zeroed  table, 4096, 4096
