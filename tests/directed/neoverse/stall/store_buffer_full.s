// A store a round, to lines that the data cache has. Each drains for 4 cycles: once all entries are
// taken, dispatch sends a round every 4 cycles and nothing in the 3 others.
// proves: 0x0024 the store queue is full
// set: store_buffer.drain_cycles = 4
// vary: N = 200, 700
// expect-change: CPU_CYCLES = 4 * N
// expect-change: STALL_BACKEND = 3 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   str     x2, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
