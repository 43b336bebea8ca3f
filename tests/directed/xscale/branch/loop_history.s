@ A branch that is not taken every fourth time, N times: three times taken make it strongly taken, so
@ that it is wrong when it is not taken and right again the next time.
@ proves: 0x06 a strongly taken branch is predicted taken after one that was not
@ vary: N = 8, 40, 200
@ expect: BRANCH = 2 * N
@ expect-change: BRANCH_MISS = N // 4
        .include "directed.inc"
_start: mov     r8, #N
loop:   tst     r8, #3                  @ N is a multiple of four: the first time it is not taken
        bne     1f
        nop
1:      repeat  r8
        finish
