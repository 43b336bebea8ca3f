@ A loop's branch, N times, predicted by its own two-bit counter (no history). The first time it is
@ not known and taken; then it is predicted taken; the last time it is not taken.
@ proves: 0x10 a branch that was not predicted and is taken is a flush
@ proves: 0x10 a branch that goes the other way is a flush
@ proves: 0x12 every executed branch counts while prediction is on
@ proves: 0x52 predicted taken and not taken counts; a branch that was not predicted does not
@ proves: 0x53 predictions of taken count, right or wrong
@ proves: 0x54 branches that are taken count, predicted or not
@ build: a32 t32
@ set: branch.history_bits = 0
@ vary: N = 2, 3, 50, 500
@ expect: BR_PRED = N
@ expect: BR_PREDICTABLE_TAKEN = N - 1
@ expect: BR_PREDICTED_TAKEN = N - 1
@ expect: BR_MIS_PRED = 2
@ expect: BR_DIRECTION_MIS_PRED = 1
@ expect: BR_RETURN_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   nop
        repeat  r8
        finish
