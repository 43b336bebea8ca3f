@ proves: 0x11 BLX to an address takes one cycle
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 4 * N
@ expect-change: BR_MIS_PRED = 0
@ expect-change: BR_IMMED_RETIRED = 2 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   blx     leaf
        repeat  r8
        finish
        .thumb
        .type   leaf, %function
leaf:   bx      lr
