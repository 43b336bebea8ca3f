// Each product and sum is there after 2 cycles, for the next one's accumulator after 1.
// kernel: multiply-accumulate chain: 8 MADD to one sum
// set: latency.multiply = 2
// set: latency.accumulate = 1
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 8 * 1 * N
// expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   8
        madd    w1, w2, w3, w1
        .endr
        repeat  x9
        finish
