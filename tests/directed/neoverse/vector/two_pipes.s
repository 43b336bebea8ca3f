// Ten multiply-accumulates in a chain, of a kind that has two of four pipes: the accumulator is forwarded a cycle later within
// a pipe, and every second link of the chain goes from one pipe to the other, where it is there after the 4 cycles of a result.
// proves: 0x0011 accumulators are forwarded within a pipe
// set: units.vector = 4
// set: pipes.multiply_long = v02
// set: latency.vector_multiply_long = 4
// set: latency.accumulate = 1
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 5 * (1 + 4) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        smlal   v1.2d, v20.2s, v21.2s
        .endr
        repeat  x9
        finish
