@ Each branch there is, N times. The words that LDR, LDM and POP load into the PC are stored before.
@ proves: 0x05 B and BL count, taken or not
@ proves: 0x05 BX, BLX, MOV, LDR, LDM and POP to the PC do not count
@ proves: 0x0D B, BL, BLX, BX, MOV PC, LDR PC, LDM with PC and POP with PC count
@ proves: 0x0D a branch that is not taken does not count
@ proves: 0x0D a system call does not count
@ vary: N = 3, 20
@ expect: BRANCH = 7 * N
@ expect: PC_CHANGED = 11 * N + N - 1
@ expect-change: INSTRUCTION = (1 + 3 + 2 + 3 + 2 + 2 + 1 + 3 + 3 + 1 + 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   b       1f
        udf
1:      cmp     r8, #0
        beq     2f                      @ not taken
        nop
2:      bl      by_bx                   @ BL, BX
        adr     r0, by_mov
        blx     r0                      @ BLX of a register, MOV PC
        mov     lr, pc
        b       by_ldr                  @ B, LDR PC
        nop
        bl      by_ldm                  @ BL, LDM
        bl      by_pop
        nop
        repeat  r8
        finish
by_bx:  bx      lr
by_mov: mov     pc, lr
by_ldr: str     lr, [sp, #-4]!
        ldr     pc, [sp], #4
by_ldm: stmdb   sp!, {r4, lr}
        ldmia   sp!, {r4, pc}
by_pop: push    {r4, lr}
        pop     {r4, pc}
