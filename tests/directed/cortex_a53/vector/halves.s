// 8 sums of 64 bits: two a cycle. 8 of 128 bits: each takes both halves of the datapath, and is the first of its
// cycle; so do 4 maxima of two numbers.
// proves: 0x0011 two vectors of 64 bits go together, or one of 128 bits
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (4 + 8 + 4 + 1) * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   4
        add     v1.2s, v5.2s, v6.2s
        add     v2.2s, v5.2s, v6.2s
        .endr
        .rept   4
        add     v3.4s, v5.4s, v6.4s
        add     v4.4s, v5.4s, v6.4s
        .endr
        .irp    n, 16, 17, 18, 19
        fmaxp   s\n, v5.2s
        .endr
        repeat  x9
        finish
