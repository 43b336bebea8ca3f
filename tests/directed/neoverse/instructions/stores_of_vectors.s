// Each round adds ten vectors and stores six on two vector pipes, which stores take one of: (10 + 6) / 2 = 8 cycles. The
// stores have two load units, too, and drain together with others to the same 32 bytes.
// proves: 0x0011 a store of a vector register takes a vector pipe
// set: units.vector = 2
// set: units.load = 2
// set: units.store_takes_vector = yes
// set: dispatch.width = 8
// set: dispatch.vector_bytes = 0
// set: store_buffer.merge_bytes = 32
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   .irp    n, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
        add     v\n\().4s, v0.4s, v1.4s
        .endr
        .rept   3
        str     d2, [x1]
        str     d3, [x1, #8]
        .endr
        repeat  x9
        finish
        zeroed  buffer, 64, 64
