@ Branches whose target is in a register or in memory are never predicted, and never counted.
@ proves: 0x06 BX, BLX of a register, MOV PC and LDR PC do not count, though none is predicted
@ vary: N = 10, 200
@ expect-change: BRANCH = N
@ expect-change: BRANCH_MISS = 0
@ expect-change: PC_CHANGED = (1 + 1 + 1 + 1 + 1) * N
        .include "directed.inc"
_start: mov     r8, #N
        adr     r2, 2f
        str     r2, [sp, #-4]!
loop:   adr     r0, 1f
        bx      r0
1:      ldr     pc, [sp]
2:      adr     r0, by_mov
        blx     r0                      @ and MOV PC
        repeat  r8
        finish
by_mov: mov     pc, lr
