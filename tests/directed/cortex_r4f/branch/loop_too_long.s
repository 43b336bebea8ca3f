@ One iteration more than the loop counter counts, and it is wrong at every exit.
@ proves: 0x10 the exit of a loop of 32 iterations is not predicted
@ build: a32 t32
@ set: branch.history_bits = 1
@ vary: N = 40, 80, 120
@ expect-change: BR_MIS_PRED = N
        .include "directed.inc"
_start: mov     r8, #N
loop:   mov     r9, #32
1:      repeat  r9, 1b
        repeat  r8
        finish
