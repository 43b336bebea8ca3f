@ proves: 0x12 with prediction off no branch could have been predicted
@ proves: 0x10 with prediction off every taken branch flushes
@ build: a32 t32
@ set: branch.prediction = no
@ vary: N = 50, 100, 200
@ expect-change: BR_PRED = 0
@ expect-change: BR_MIS_PRED = N
@ expect-change: CPU_CYCLES = N * (1 + 8)
        .include "directed.inc"
_start: mov     r8, #N
loop:   repeat  r8
        finish
