// A pair of doublewords fills an entry of 16 bytes: the next to the same bytes is written 3 cycles
// later, and each is an access.
// proves: 0x0024 the store queue is full of stores to the same bytes
// set: store_buffer.merge_bytes = 16
// set: store_buffer.rewrite_cycles = 3
// vary: N = 200, 700
// expect-change: CPU_CYCLES = 3 * N
// expect-change: L1D_CACHE_WR = N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   stp     x2, x3, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
