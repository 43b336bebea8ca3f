@ Returns and their look-alikes, N times.
@ proves: 0x0E BX by any register, POP and LDM with PC and LDR PC,[SP],#4 count
@ proves: 0x0E MOV PC,LR does not: it is not predicted as a return
@ proves: 0x0E LDR PC by another register, and returns that fail their condition, do not
@ let: N = 25
@ expect: BR_RETURN_RETIRED = 4 * N
@ expect: BR_IMMED_RETIRED = N * (5 + 1)
        .include "directed.inc"
_start: address r4, table
        address r5, back
        str     r5, [r4]
        mov     r8, #N
loop:   bl      by_bx
        bl      by_mov
        bl      by_pop
        bl      by_block
        bl      by_load
        ldr     pc, [r4]
back:   repeat  r8
        finish
by_bx:  cmp     r0, r0
        bxne    lr                      @ fails
        mov     r6, lr
        bx      r6
by_mov: mov     pc, lr
by_pop: push    {r4, lr}
        pop     {r4, pc}
by_block:
        sub     r6, sp, #64
        stm     r6, {r4, lr}
        ldm     r6, {r4, pc}
by_load:
        str     lr, [sp, #-4]!
        ldr     pc, [sp], #4
        zeroed  table, 64, 64
