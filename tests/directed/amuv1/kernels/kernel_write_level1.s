// 16 stores for two store units: 8 cycles. Those to the same 32 bytes drain together, and the store
// buffer keeps up.
// kernel: write stream, level 1: 16 doublewords that the data cache has
// set: units.store = 2
// set: store_buffer.merge_bytes = 32
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * N
// expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .irp    offset, 0, 16, 32, 48, 64, 80, 96, 112
        str     x2, [x1, #\offset]
        str     x3, [x1, #\offset + 8]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 128, 64
