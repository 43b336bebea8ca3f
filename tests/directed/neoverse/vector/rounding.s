// Ten roundings of four numbers each, which need each other: two numbers at a time, so 3 + 1 cycles each.
// proves: 0x0011 a vector of more than two numbers is rounded in several passes
// set: latency.float_convert = 3
// set: units.vector_bytes = 16
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 10 * (3 + 1) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        frinta  v1.4s, v1.4s
        .endr
        repeat  x9
        finish
