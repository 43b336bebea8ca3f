// The same beyond level 2, in steps of a line: each comes from memory, in four transfers of 128 bits.
// proves: 0x0017 each line comes from beyond level 2
// proves: 0x00C0 each is a request
// proves: 0x0060 a line is four transfers
// proves: 0x0061 nothing is written
// proves: 0x0019 what is read
// proves: 0x00E7 nothing is issued until it is there
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: memory.latency_cycles = 200
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 2048 * N
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: EXT_MEM_REQ = 2048 * N
// expect-change: BUS_ACCESS_RD = 4 * 2048 * N
// expect-change: BUS_ACCESS_WR = 0
// expect-change: BUS_ACCESS = 4 * 2048 * N
// expect-change: LD_DEP_STALL >= 2048 * 216 * N
// expect-change: LD_DEP_STALL <= 2048 * 218 * N
        .include "directed.inc"
        chase   64
