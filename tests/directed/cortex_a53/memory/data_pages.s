// A load in each of 16 pages, more than the micro TLB has: 2 cycles each beside the 3 of a load, in which nothing is issued.
// proves: 0x0005 each refills the micro TLB
// proves: 0x00E7 a load that waits for its page is late
// set: l1d.size_kb = 32
// let: LINES = 16
// let: STEP = 4160
// vary: N = 20, 30, 50
// expect-change: L1D_TLB_REFILL = 16 * N
// expect-change: L1D_CACHE_REFILL = 0
// expect-change: CPU_CYCLES = 16 * 5 * N
// expect-change: LD_DEP_STALL = 16 * 3 * N
        .include "directed.inc"
        chase   64
