// A line takes 30 cycles between the cluster and memory, whichever way it goes, and 12 more if it is written after one that was
// read. Stores change each line of an array that level 2 does not hold: for each line one is read and another one is written
// back, 72 cycles.
// proves: 0x0011 what two lines and a turnaround take of memory's bandwidth
// set: prefetch.lines = 0
// set: prefetch.store_lines = 0
// set: window.misses = 64
// set: window.stores = 64
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: l2.fill_buffers = 16
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// set: memory.line_cycles = 30
// set: memory.turnaround_cycles = 12
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: L2D_CACHE_WB = 2048 * N
// expect-change: CPU_CYCLES >= 2048 * 72 * N - 72
// expect-change: CPU_CYCLES <= 2048 * 72 * N + 72
        .include "directed.inc"
_start: passes  str     x9, [x1], #64
        finish_lines
