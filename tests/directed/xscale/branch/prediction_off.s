@ Without the branch target buffer every branch runs as predicted not taken.
@ proves: 0x06 with prediction off each taken branch is mispredicted
@ set: branch.prediction = no
@ vary: N = 2, 50
@ expect: BRANCH = 2 * N
@ expect: BRANCH_MISS = N - 1
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        bmi     loop
        bne     loop
        finish
