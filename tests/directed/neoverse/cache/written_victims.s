// The same of lines that are written: level 2 writes each back to the shared cache and gets it from there again, still to be
// written back. Memory, where a line takes 300 cycles, sees none of them.
// proves: 0x0018 each line that level 2 loses is one that was written
// proves: 0x002A none has to come from memory
// proves: 0x0011 nothing waits for memory
// set: prefetch.store_lines = 0
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 64
// set: llc.holds = victims
// set: memory.line_cycles = 300
// let: LINES = 1536
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 1536 * N
// expect-change: L2D_CACHE_WB = 1536 * N
// expect-change: L3D_CACHE_ALLOCATE = 1536 * N
// expect-change: L3D_CACHE_REFILL = 0
// expect-change: CPU_CYCLES <= 1536 * 100 * N
        .include "directed.inc"
_start: passes  str     x9, [x1], #64
        finish_lines
