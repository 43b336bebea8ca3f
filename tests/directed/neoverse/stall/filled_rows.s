// A pair of quadwords fills two entries of 16 bytes: the next to the same bytes is written twice 3 cycles later.
// proves: 0x0024 the store queue is full of stores to the same bytes
// set: store_buffer.merge_bytes = 16
// set: store_buffer.rewrite_cycles = 3
// vary: N = 200, 700
// expect-change: CPU_CYCLES = 2 * 3 * N
// expect-change: L1D_CACHE_WR = N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   stp     q2, q3, [x1]
        repeat  x9
        finish
        zeroed  buffer, 64, 64
