// The program "lost_lines" of the Neoverse cores.
// proves: 0x0016 each line is read, and another one written
// proves: 0x0050 each load reads
// proves: 0x0051 a clean line that the data cache loses is written to level 2
// proves: 0x0017 none has to come from beyond
// proves: 0x0015 a clean line is no write-back
// set: l1d.size_kb = 64
// set: l2.size_kb = 64
// set: l2.holds = victims
// let: LINES = 1536
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = 1536 * N
// expect-change: L1D_CACHE_WB = 0
// expect-change: L2D_CACHE = 2 * 1536 * N
// expect-change: L2D_CACHE_RD = 1536 * N
// expect-change: L2D_CACHE_WR = 1536 * N
// expect-change: L2D_CACHE_REFILL = 0
        .include "../neoverse/cache/lost_lines.s"
