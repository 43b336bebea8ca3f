// A number goes from a vector register to a core register in 2 cycles and back in 3.
// kernel: NEON to core and back: 4 times, one after the other
// set: latency.from_vector = 2
// set: latency.to_vector = 3
// vary: N = 100, 600
// expect-change: CPU_CYCLES = 4 * (2 + 3) * N
// expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   4
        fmov    x1, d0
        fmov    d0, x1
        .endr
        repeat  x9
        finish
