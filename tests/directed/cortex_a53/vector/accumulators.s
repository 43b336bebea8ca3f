// 10 multiplications and additions to one accumulator: each 4 cycles after that before. The first of 5 multiplications that has their sum
// as a factor comes 8 cycles after them, each of the others 4.
// proves: 0x00E6 an accumulator is needed later than factors
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 * 10 + 8 + 4 * 4) * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   10
        fmla    v1.4s, v2.4s, v3.4s
        .endr
        .rept   5
        fmul    v1.4s, v1.4s, v3.4s
        .endr
        repeat  x9
        finish
