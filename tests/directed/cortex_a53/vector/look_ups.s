// Five look-ups in two registers and five in one that keep what is there: two cycles each, the loop in the second cycle of the last.
// proves: 0x0011 a look-up takes a cycle for each register of its table, and one more where it keeps elements
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 2 * 10 * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:   .irp    n, 1, 2, 3, 4, 5
        tbl     v\n\().16b, {v20.16b, v21.16b}, v23.16b
        tbx     v1\n\().16b, {v20.16b}, v23.16b
        .endr
        repeat  x9
        finish
