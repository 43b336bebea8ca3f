// Nothing depends on these loads, but each waits until the store before it is written, which retires after the load
// before that: they never overlap.
// proves: 0x0011 loads that stores do not forward to never overlap
// set: dispatch.width = 8
// set: store_buffer.unforwarded_cycles = 5
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * (1 + 5 + 4) * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .rept   4
        str     x2, [x1]
        ldrb    w3, [x1, #1]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
