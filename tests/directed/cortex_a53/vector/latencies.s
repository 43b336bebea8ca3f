// Ten turns of six operations of which each needs the one before it: SQADD and SRSHR take 3 cycles, EOR 1,
// FMAX 4, FCMEQ 2 and FRECPS, which multiplies and adds, 8.
// proves: 0x0011 vector operations take the times that were measured on a Cortex-A53
// vary: N = 300, 400, 500
// expect-change: CPU_CYCLES = 10 * (3 + 3 + 1 + 4 + 2 + 8) * N
        .include "directed.inc"
_start: number  x9, N
loop:   .rept   10
        sqadd   v1.2s, v1.2s, v2.2s
        srshr   v1.2s, v1.2s, #2
        eor     v1.8b, v1.8b, v2.8b
        fmax    s1, s1, s2
        fcmeq   s1, s1, s2
        frecps  s1, s1, s2
        .endr
        repeat  x9
        finish
