@ Calls DEPTH deep. Four returns are known, those above are not.
@ proves: 0x10 the return stack holds four addresses; a return beyond them flushes
@ proves: 0x0E returns count, predicted or not
@ build: a32 t32
@ let: N = 50
@ vary: DEPTH = 1, 4, 5, 7
@ expect: BR_RETURN_RETIRED = N * DEPTH
@ expect: BR_MIS_PRED >= N * (DEPTH // 5) * (DEPTH - 4)
@ expect: BR_MIS_PRED <= N * (DEPTH // 5) * (DEPTH - 4) + 12
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      level1
        repeat  r8
        finish
        .macro  level n, next
level\n: push    {r4, lr}
        .if     \n < DEPTH
        bl      level\next
        .endif
        pop     {r4, pc}
        .endm
        level   1, 2
        level   2, 3
        level   3, 4
        level   4, 5
        level   5, 6
        level   6, 7
        level   7, 8
level8: nop
