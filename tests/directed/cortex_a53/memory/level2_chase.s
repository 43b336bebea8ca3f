// A chase through 128 lines in two pages, twice what the data cache has: each comes from level 2, 18 cycles after the one before with
// the way to the next address. One of these cycles has the load and the subtraction, one the branch.
// proves: 0x0003 each load brings a line
// proves: 0x0016 each asks level 2
// proves: 0x0017 which has it
// proves: 0x00E7 nothing is issued until it is there
// proves: 0x0019 nothing comes over the bus
// proves: 0x0015 no line was written
// set: l1d.size_kb = 4
// let: LINES = 128
// let: STEP = 64
// vary: N = 4, 6, 9
// expect-change: CPU_CYCLES = 128 * 18 * N
// expect-change: L1D_CACHE_REFILL = 128 * N
// expect-change: L2D_CACHE = 128 * N
// expect-change: L2D_CACHE_REFILL = 0
// expect-change: BUS_ACCESS = 0
// expect-change: L1D_CACHE_WB = 0
// expect-change: LD_DEP_STALL = 128 * 16 * N
// expect-change: AGU_DEP_STALL = 0
        .include "directed.inc"
        chase   64
