// The program "written_lines" of the Neoverse cores.
// proves: 0x0043 a store that misses brings its line
// proves: 0x0042 no load does
// proves: 0x0003 stores miss, too
// proves: 0x0015 each makes a written line leave
// proves: 0x0016 misses and write-backs are accesses
// proves: 0x0050 what stores ask for is no read
// proves: 0x0051 misses of stores and write-backs write
// proves: 0x0052 no read brings a line into level 2
// proves: 0x0053 each store does
// proves: 0x0017 stores do, too
// proves: 0x0020 a whole line needs no refill
// proves: 0x0018 each makes a written line leave level 2
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
// expect-change: L1D_CACHE_WB = 2048 * N
// expect-change: L2D_CACHE = 2 * 2048 * N
// expect-change: L2D_CACHE_RD = 0
// expect-change: L2D_CACHE_WR = 2 * 2048 * N
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: L2D_CACHE_REFILL_RD = 0
// expect-change: L2D_CACHE_REFILL_WR = 2048 * N
// expect-change: L2D_CACHE_ALLOCATE = 2048 * N
// expect-change: L2D_CACHE_WB = 2048 * N
// expect-change: L3D_CACHE_ALLOCATE = 2048 * N
// expect-change: L3D_CACHE_RD = 2048 * N
// expect-change: L3D_CACHE = 2 * 2048 * N
// expect-change: LL_CACHE_RD = 2048 * N
// expect-change: BUS_ACCESS_RD = 2 * 2048 * N
// expect-change: BUS_ACCESS_WR = 2 * 2048 * N
// expect-change: BUS_ACCESS = 4 * 2048 * N
        .include "../neoverse/cache/written_lines.s"
