// The shared cache holds what level 2 has lost. Level 2 and the shared cache hold 1024 lines each, the loop reads 1536. Each
// load misses level 2 and takes its line out of the shared cache, which gets the line that level 2 loses.
// proves: 0x0029 a clean line that level 2 loses is written to the shared cache
// proves: 0x002B each line is read and another written
// proves: 0x00A0 each load reads
// proves: 0x002A none has to come from memory
// proves: 0x0018 a clean line is no write-back
// proves: 0x0061 it is two beats all the same
// set: bus.width_bits = 256
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 64
// set: llc.holds = victims
// let: LINES = 1536
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 1536 * N
// expect-change: L2D_CACHE_WB = 0
// expect-change: L3D_CACHE_ALLOCATE = 1536 * N
// expect-change: L3D_CACHE = 2 * 1536 * N
// expect-change: L3D_CACHE_RD = 1536 * N
// expect-change: L3D_CACHE_REFILL = 0
// expect-change: BUS_ACCESS_WR = 2 * 1536 * N
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
