// Each sum is there after 4 cycles, for an accumulator in the same pipe after 2, as set here. Two pipes multiply, and every
// second sum stays in its pipe: 3 cycles on average.
// kernel: NEON multiply-accumulate: 8 MLA to one sum
// set: latency.vector_multiply = 4
// set: latency.accumulate = 2
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * 3 * N
// expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   8
        mla     v0.4s, v1.4s, v2.4s
        .endr
        repeat  x9
        finish
