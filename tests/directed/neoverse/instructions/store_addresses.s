// Nine stores and nine loads for three load units, of which stores take one of the first two for their addresses:
// (9 + 9) / 3 = 6 cycles. Store units alone would do in 9 / 2. Stores to the same 32 bytes drain together.
// proves: 0x0011 a store takes a load unit
// set: units.load = 3
// set: units.store = 2
// set: units.store_takes_load = yes
// set: dispatch.width = 8
// set: dispatch.vector_bytes = 0
// set: store_buffer.merge_bytes = 32
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 6 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .irp    n, 0, 1, 2, 3, 4, 5, 6, 7, 8
        str     x2, [x1, #8 * (\n % 4)]
        ldr     x3, [x1, #64]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 128, 64
