@ Instructions of every kind. An iteration has 14 in A32 and T32 alike.
@ proves: 0x08 every executed instruction counts once, hints and barriers too
@ proves: 0x08 instructions that fail their condition count
@ proves: 0x00 a program that writes no software increment counts none
@ proves: 0x0B a program that writes no context ID counts none
@ let: N = 100
@ expect: INST_RETIRED = 1 + N * 14 + 3
@ expect: SW_INCR = 0
@ expect: CID_WRITE_RETIRED = 0
@ expect: LD_RETIRED = 0
@ expect: ST_RETIRED = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   add     r0, r1, r2
        nop
        dmb
        isb
        movs    r3, #0
        moveq   r4, #1
        movne   r4, #2
        addne   r4, r4, #2
        mul     r5, r4, r4
        clz     r6, r5
        vmov    s0, r6
        vadd.f32 s1, s0, s0
        repeat  r8
        finish
