// Level 2 has four lines on their way at once. Loads that wait for nothing ask for lines of memory, 200 cycles each:
// one comes every 50 cycles.
// proves: 0x0011 what a line takes at the fourth part of memory's latency
// set: prefetch.lines = 0
// set: window.misses = 64
// set: window.loads = 64
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: l2.fill_buffers = 4
// set: llc.size_kb = 0
// set: memory.latency_cycles = 200
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 2048 * N
// expect-change: CPU_CYCLES >= 2048 * 50 * N - 50
// expect-change: CPU_CYCLES <= 2048 * 50 * N + 50
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
