// A chase from line to line. The prefetcher continues when the line of a load is there: so it has eight lines on their way, which
// take 240 cycles each, and a line comes each 30 cycles. If it continued when the load asks, nine would be, one each 27 cycles.
// proves: 0x0011 a stream has as many lines on their way as the prefetcher is ahead
// set: prefetch.lines = 8
// set: prefetch.l1_lines = 1
// set: prefetch.pages = yes
// set: prefetch.on_arrival = yes
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: l2.hit_cycles = 10
// set: llc.size_kb = 0
// set: memory.latency_cycles = 230
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: CPU_CYCLES >= 2048 * 30 * N - 600
// expect-change: CPU_CYCLES <= 2048 * 32 * N
        .include "directed.inc"
_start: link
        number  x9, LINES * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 4096
