@ Returns and their look-alikes in A32, N times.
@ proves: 0x0E BX LR, MOV PC,LR, POP with PC and LDR PC,[SP],#4 count
@ proves: 0x0E BX, MOV, LDR and LDM by other registers do not
@ proves: 0x0E a return that fails its condition does not count
@ let: N = 25
@ expect: BR_RETURN_RETIRED = 5 * N
@ expect: PC_WRITE_RETIRED = N * (2 * 5 + 4 + 2) + N - 1
@ expect: BR_IMMED_RETIRED = N * (5 + 5 + 1)
@ expect: INST_RETIRED = 8 + N * (15 + 2 + 12 + 4 + 3) + 3
        .include "directed.inc"
_start: address r4, table
        address r5, back
        str     r5, [r4]
        str     r5, [r4, #4]
        str     r5, [r4, #8]
        mov     r8, #N
loop:   bl      by_bx
        bl      by_mov
        bl      by_pop
        bl      by_block
        bl      by_load
        mov     r9, #3                  @ the look-alikes all go to back, which counts them
        bx      r5
back:   subs    r9, r9, #1
        beq     3f
        cmp     r9, #1
        beq     2f
        mov     pc, r5
2:      ldr     pc, [r4]
3:      address r6, last
        str     r6, [r4, #8]
        ldm     r4, {r10, r11, pc}
last:   str     r5, [r4, #8]
        repeat  r8
        finish
by_bx:  cmp     r0, r0
        bxne    lr                      @ fails
        bx      lr
by_mov: mov     pc, lr
by_pop: push    {r4, lr}
        pop     {r4, pc}
by_block:
        push    {r4-r6, lr}
        ldm     sp!, {r4-r6, pc}
by_load:
        str     lr, [sp, #-4]!
        ldr     pc, [sp], #4
        zeroed  table, 64, 64
