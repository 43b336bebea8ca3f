// The shared cache passes a line each 24 cycles. Loads that wait for nothing ask for lines that it holds.
// proves: 0x0011 what lines from the shared cache take, one after the other
// set: prefetch.lines = 0
// set: window.misses = 16
// set: window.loads = 64
// set: l1d.size_kb = 4
// set: l2.size_kb = 8
// set: l2.fill_buffers = 16
// set: llc.size_kb = 64
// set: llc.holds = missed
// set: llc.hit_cycles = 30
// set: llc.line_cycles = 24
// let: LINES = 512
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = 512 * N
// expect-change: CPU_CYCLES >= 512 * 24 * N - 8
// expect-change: CPU_CYCLES <= 512 * 24 * N + 8
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
