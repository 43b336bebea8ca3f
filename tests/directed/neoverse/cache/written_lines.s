// A store to each of 2048 lines, over and over: each makes a written line leave level 1 and another leave
// level 2, which the shared cache takes.
// proves: 0x0043 a store that misses brings its line
// proves: 0x0042 no load does
// proves: 0x0003 stores miss, too
// proves: 0x0039 a load that misses is meant, no store
// proves: 0x0015 each makes a written line leave
// proves: 0x0046 it makes room
// proves: 0x0047 nobody asks for it
// proves: 0x0016 misses and write-backs are accesses
// proves: 0x0050 what stores ask for is no read
// proves: 0x0051 misses of stores and write-backs write
// proves: 0x0052 no read brings a line into level 2
// proves: 0x0053 each store does
// proves: 0x0017 stores do, too
// proves: 0x4009 a read that misses is meant, no store
// proves: 0x0020 a whole line needs no refill
// proves: 0x0018 each makes a written line leave level 2
// proves: 0x0056 it makes room
// proves: 0x0057 nobody asks for it
// proves: 0x0029 the shared cache takes it
// proves: 0x002B it is read and written
// proves: 0x00A0 what is written to it is no read
// proves: 0x0061 a written line is two beats
// proves: 0x0060 so is one that is read
// proves: 0x0019 both directions
// proves: 0x0036 a write is no read of the last level
// set: bus.width_bits = 256
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 2048 * N
// expect-change: L1D_CACHE_REFILL_WR = 2048 * N
// expect-change: L1D_CACHE_REFILL_RD = 0
// expect-change: L1D_CACHE_LMISS_RD = 0
// expect-change: L1D_CACHE_WB = 2048 * N
// expect-change: L1D_CACHE_WB_VICTIM = 2048 * N
// expect-change: L1D_CACHE_WB_CLEAN = 0
// expect-change: L2D_CACHE = 2 * 2048 * N
// expect-change: L2D_CACHE_RD = 0
// expect-change: L2D_CACHE_WR = 2 * 2048 * N
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: L2D_CACHE_REFILL_RD = 0
// expect-change: L2D_CACHE_REFILL_WR = 2048 * N
// expect-change: L2D_CACHE_LMISS_RD = 0
// expect-change: L2D_CACHE_ALLOCATE = 2048 * N
// expect-change: L2D_CACHE_WB = 2048 * N
// expect-change: L2D_CACHE_WB_VICTIM = 2048 * N
// expect-change: L2D_CACHE_WB_CLEAN = 0
// expect-change: L3D_CACHE_ALLOCATE = 2048 * N
// expect-change: L3D_CACHE_RD = 2048 * N
// expect-change: L3D_CACHE = 2 * 2048 * N
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: BUS_ACCESS_RD = 2 * 2048 * N
// expect-change: BUS_ACCESS_WR = 2 * 2048 * N
// expect-change: BUS_ACCESS = 4 * 2048 * N
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
