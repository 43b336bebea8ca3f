// A store across two pages drains for 9 cycles longer than its two lines take.
// proves: 0x0024 the store queue is full of stores across pages
// set: store_buffer.page_cycles = 9
// vary: N = 200, 700
// expect-change: CPU_CYCLES = 11 * N
// expect-change: STALL_BACKEND = 10 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x1, x1, #4092
        number  x9, N
loop:   str     x2, [x1]
        repeat  x9
        finish
        zeroed  buffer, 8192, 4096
