@ The same loop with 10 bits of history. The first 10 outcomes each make a history never seen
@ before, whose counter says not taken; the history that is all taken has to be seen once more. So
@ of N branches the first is not known, the next 10 are predicted not taken, the others taken, the
@ last one wrongly.
@ proves: 0x52 predicted not taken and taken counts too
@ proves: 0x53 a prediction of not taken does not count
@ set: branch.history_bits = 10
@ vary: N = 12, 20, 400
@ expect: BR_PRED = N
@ expect: BR_PREDICTABLE_TAKEN = N - 1
@ expect: BR_PREDICTED_TAKEN = N - 11
@ expect: BR_DIRECTION_MIS_PRED = 10 + 1
@ expect: BR_MIS_PRED = 1 + 10 + 1
        .include "directed.inc"
_start: mov     r8, #N
loop:   repeat  r8
        finish
