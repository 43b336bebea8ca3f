@ Nothing is predicted: each branch that is taken flushes.
@ proves: 0x11 BL takes eight cycles when it is not predicted, BX nine
@ build: a32 t32
@ set: branch.prediction = no
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (8 + 9 + 1 + 8)
@ expect-change: BR_MIS_PRED = 3 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      leaf
        repeat  r8
        finish
leaf:   bx      lr
