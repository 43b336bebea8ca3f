// The same beyond level 2, which is the last level: every line comes from memory, in two beats of 256 bits.
// 210 cycles a load, of which one dispatches.
// proves: 0x0017 each line comes from beyond level 2
// proves: 0x0052 each is read
// proves: 0x0053 no store asks for one
// proves: 0x4009 each waits
// proves: 0x0045 memory is outside the cluster
// proves: 0x0044 none is within it
// proves: 0x0036 without a shared cache level 2 is the last
// proves: 0x0037 it misses each
// proves: 0x002B there is no shared cache
// proves: 0x00A0 there is no shared cache
// proves: 0x400B there is no shared cache
// proves: 0x0060 a line is two beats
// proves: 0x0061 nothing is written
// proves: 0x0019 what is read
// proves: 0x0024 a chase stalls at dispatch
// proves: 0x003C all stalls are the back end's
// proves: 0x4005 what memory takes, each time
// set: bus.width_bits = 256
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// let: LINES = 2048
// let: STEP = 64
// set: l2.hit_cycles = 10
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: L2D_CACHE_REFILL_RD = 2048 * N
// expect-change: L2D_CACHE_REFILL_WR = 0
// expect-change: L2D_CACHE_LMISS_RD = 2048 * N
// expect-change: L1D_CACHE_REFILL_OUTER = 2048 * N
// expect-change: L1D_CACHE_REFILL_INNER = 0
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: LL_CACHE_MISS_RD = 2048 * N
// expect-change: L3D_CACHE = 0
// expect-change: L3D_CACHE_RD = 0
// expect-change: L3D_CACHE_LMISS_RD = 0
// expect-change: BUS_ACCESS_RD = 2 * 2048 * N
// expect-change: BUS_ACCESS_WR = 0
// expect-change: BUS_ACCESS = 2 * 2048 * N
// expect-change: STALL_FRONTEND = 0
// expect-change: STALL = STALL_BACKEND
// expect-change: STALL_BACKEND >= 2048 * 208 * N
// expect-change: STALL_BACKEND <= 2048 * 210 * N
// expect-change: STALL_BACKEND_MEM = 2048 * 200 * N
        .include "directed.inc"
        chase
