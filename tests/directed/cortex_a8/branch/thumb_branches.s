@ The branches that only T32 has, taken and not, N times.
@ proves: 0x0C a taken CBZ or CBNZ, a table branch and a branch in an IT block change the PC
@ proves: 0x0D CBZ and CBNZ count, taken or not
@ proves: 0x0D a table branch is no immediate branch
@ proves: 0x0E BX LR, MOV PC,LR, POP and LDR PC from the stack are returns in T32 too
@ proves: 0x06 the table a TBB or TBH reads is a read
@ build: t32
@ let: N = 30
@ expect: PC_WRITE_RETIRED = N * (2 + 2 + 1 + 8) + N - 1
@ expect: BR_IMMED_RETIRED = N * (4 + 2 + 4 + 1)
@ expect: BR_RETURN_RETIRED = N * 4
@ expect: LD_RETIRED = N * (2 + 2)
@ expect: ST_RETIRED = N * 2
@ expect: INST_RETIRED = 3 + N * (4 + 2 + 6 + 4 + 6 + 2) + 3
        .include "directed.inc"
_start: mov     r0, #0
        mov     r1, #1
        mov     r8, #N
loop:   cbz     r0, 1f                  @ taken
        udf
1:      cbz     r1, 2f                  @ not taken
        cbnz    r1, 2f                  @ taken
        udf
2:      cbnz    r0, 3f                  @ not taken
        tbb     [pc, r0]
3:      .byte   (4f - 3b) / 2, 0
4:      tbh     [pc, r0, lsl #1]
5:      .hword  (6f - 5b) / 2
6:      cmp     r0, r0
        ite     eq
        addeq   r2, r2, #1
        bne     7f                      @ fails in its IT block
7:      it      eq
        beq     8f                      @ taken from its IT block
        udf
8:      bl      by_bx                   @ 8: four calls, four returns
        bl      by_mov
        bl      by_pop
        bl      by_ldr
        repeat  r8
        finish
by_bx:  bx      lr
by_mov: mov     pc, lr
by_pop: push    {r4, lr}
        pop     {r4, pc}
by_ldr: push    {lr}
        ldr     pc, [sp], #4
