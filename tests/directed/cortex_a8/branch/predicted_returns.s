@ One function called from two places by turns, N times each. Its return is unknown once; after that
@ the return stack has the right address, whichever place called. Both calls are unknown once.
@ proves: 0x51 a return to the address on the return stack does not count
@ proves: 0x10 returns that the stack predicts are no flush
@ set: branch.history_bits = 0
@ let: N = 30
@ expect: BR_RETURN_MIS_PRED = 0
@ expect: BR_MIS_PRED = 2 + 1 + 2
@ expect: BR_PRED = 5 * N
@ expect: BR_PREDICTED_TAKEN = 5 * N - 3 - 1
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      leaf
        nop
        bl      leaf
        repeat  r8
        finish
leaf:   bx      lr
