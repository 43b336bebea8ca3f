// 8 multiplications of 32 bits: each is issued alone. Then a chain of four, 3 cycles from one to the next, in two of which nothing is issued.
// proves: 0x0011 multiplications are issued alone
// proves: 0x00E4 a factor that was multiplied is there after 3 cycles
// vary: N = 100, 600
// expect-change: CPU_CYCLES = (8 + 3 * 3 + 1 + 1) * N
// expect-change: OTHER_INTERLOCK_STALL = 3 * 2 * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:
        .rept   4
        mul     w1, w5, w6
        mul     w2, w5, w6
        .endr
        .rept   4
        mul     w3, w3, w6
        .endr
        repeat  x9
        finish
