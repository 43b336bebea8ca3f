// Ten sums of differences that need nothing: SABA and SADALP go every two cycles. Ten SHRN2 fill half of a register each,
// two a cycle.
// proves: 0x0011 sums of differences go every two cycles, and shifts that fill half of a register two a cycle
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = (2 * 10 + 5 + 1) * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:   .irp    n, 1, 2, 3, 4, 5
        saba    v\n\().4s, v20.4s, v21.4s
        sadalp  v\n\().4s, v22.8h
        .endr
        .irp    n, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18
        shrn2   v\n\().4s, v20.2d, #2
        .endr
        repeat  x9
        finish
