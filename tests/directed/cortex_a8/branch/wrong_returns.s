@ A function that returns one instruction further than it was called from, N times.
@ proves: 0x51 a return elsewhere than to the address on the return stack counts
@ proves: 0x10 such a return is a flush
@ proves: 0x52 it is no misprediction of direction
@ set: branch.history_bits = 0
@ let: N = 30
@ expect: BR_RETURN_MIS_PRED = N - 1
@ expect: BR_DIRECTION_MIS_PRED = 1
@ expect: BR_MIS_PRED = 1 + N + 2
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      further
        udf
        repeat  r8
        finish
further:
        add     lr, lr, #4
        bx      lr
