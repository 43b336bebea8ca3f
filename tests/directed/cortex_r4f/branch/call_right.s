@ proves: 0x11 BL and BX LR take one cycle each when they are predicted
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 4 * N
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      leaf
        repeat  r8
        finish
leaf:   bx      lr
