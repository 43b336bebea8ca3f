@ Without prediction no branch could have been predicted, and every taken one empties the pipeline.
@ proves: 0x12 nothing counts while prediction is off
@ proves: 0x10 while prediction is off every taken branch is a flush
@ proves: 0x53 no prediction, no prediction of taken
@ set: branch.prediction = no
@ let: N = 25
@ expect: BR_PRED = 0
@ expect: BR_PREDICTED_TAKEN = 0
@ expect: BR_PREDICTABLE_TAKEN = 0
@ expect: BR_DIRECTION_MIS_PRED = 0
@ expect: BR_MIS_PRED = 2 * N + N - 1
@ expect: PC_WRITE_RETIRED = 2 * N + N - 1
@ expect: BR_IMMED_RETIRED = 3 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   cmp     r0, r0
        bne     loop
        bl      leaf
        repeat  r8
        finish
leaf:   bx      lr
