// Ten multiplications of 128 bits take pipe V0 twice each. Four look-ups in three registers take V1 twice each, and four in
// four registers three times: 4 * (2 + 3) cycles, as many.
// proves: 0x0011 a pipe that works on parts is taken for each
// set: units.vector = 2
// set: units.vector_bytes = 16
// set: units.multiply_bytes = 8
// set: pipes.multiply = v0
// set: pipes.table = v1
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 10 * 2 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .irp    n, 0, 1, 2, 3
        mul     v1.4s, v20.4s, v21.4s
        mul     v2.4s, v20.4s, v21.4s
        tbl     v3.16b, {v24.16b, v25.16b, v26.16b}, v20.16b
        tbl     v4.16b, {v24.16b, v25.16b, v26.16b, v27.16b}, v20.16b
        .endr
        mul     v1.4s, v20.4s, v21.4s
        mul     v2.4s, v20.4s, v21.4s
        repeat  x9
        finish
