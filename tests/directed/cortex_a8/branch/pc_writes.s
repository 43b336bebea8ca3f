@ Each way to change the PC in A32, N times, and the same ways failing their condition.
@ proves: 0x0C every change of the PC counts: branch, call, return, move, arithmetic, load
@ proves: 0x0C one that fails its condition does not count
@ proves: 0x0D only branches with an immediate target count
@ proves: 0x0D an immediate branch that fails its condition counts
@ proves: 0x0E of the rest only procedure returns count
@ let: N = 40
@ expect: PC_WRITE_RETIRED = N * 11 + N - 1
@ expect: BR_IMMED_RETIRED = N * (2 + 2 + 1)
@ expect: BR_RETURN_RETIRED = N * 4
@ expect: LD_RETIRED = N * 4
@ expect: ST_RETIRED = 3 + N
@ expect: INST_RETIRED = 19 + N * (11 + 6 + 1 + 5) + 3
@ expect: BR_PRED = N * (11 + 6 + 1)
        .include "directed.inc"
_start: address r4, table
        address r5, to_call
        address r6, after_move
        address r9, after_load
        address r10, after_block
        address r11, after_pop
        str     r9, [r4]
        str     r10, [r4, #8]
        address r12, after_last
        str     r12, [r4, #12]
        mov     r8, #N
        nop
@ 11 changes of the PC an iteration, 6 that fail, the loop's own branch, 5 other instructions.
loop:   b       1f
        udf
1:      bl      to_call                 @ and its return by BX LR
        blx     r5                      @ and its return by BX LR
        mov     pc, r6
        udf
after_move:
        add     pc, pc, #0              @ skips one instruction
        udf
        ldr     pc, [r4]
        udf
after_load:
        mov     r0, r4
        ldm     r0!, {r1, r2, pc}       @ no return: not by the stack pointer
        udf
after_block:
        str     r11, [sp, #-4]!
        pop     {pc}                    @ a return
        udf
after_pop:
        cmp     r0, r0                  @ the same, failing
        bne     loop
        blne    to_call
        bxne    r6
        movne   pc, r6
        ldrne   pc, [r4]
        popne   {pc}
        ldr     lr, [r4, #12]
        mov     pc, lr                  @ a return
        udf
after_last:
        repeat  r8
        finish
to_call:
        bx      lr
        zeroed  table, 64, 64
