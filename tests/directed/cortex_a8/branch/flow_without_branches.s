@ System calls and conditional instructions that are no branches.
@ proves: 0x12 what is no branch does not count
@ proves: 0x54 a system call is no taken branch
@ proves: 0x0D a system call is no branch
@ expect: BR_PRED = 0
@ expect: BR_PREDICTABLE_TAKEN = 0
@ expect: BR_IMMED_RETIRED = 0
@ expect: PC_WRITE_RETIRED = 0
@ expect: BR_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r7, #20
        svc     #0
        cmp     r0, r0
        movne   r1, #1
        svc     #0
        finish
