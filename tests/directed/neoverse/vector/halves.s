// Ten additions of four numbers that need nothing: each takes a pipe twice, so two pipes take them in ten cycles. Ten of two
// numbers take five, and ten maxima of four, which are not made in halves, as well.
// proves: 0x0011 pipes of 64 bits make 128 bits of some operations in two passes
// set: units.vector = 2
// set: units.vector_bytes = 8
// set: latency.float_pairs = 3
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (10 + 5 + 5) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
        fadd    v\n\().4s, v20.4s, v21.4s
        fadd    v\n\().2s, v20.2s, v21.2s
        fmax    v\n\().4s, v20.4s, v21.4s
        .endr
        repeat  x9
        finish
