@ 10 instructions that do nothing of note, N times, among them some that fail their condition.
@ proves: 0x08 every executed instruction counts once, hints and barriers too
@ proves: 0x08 a system call counts
@ build: a32 t32
@ vary: N = 1, 10, 1000
@ expect: INST_RETIRED = 1 + N * (10 + T32 + 2) + 3
@ expect-change: INST_RETIRED = N * (12 + T32)
        .include "directed.inc"
_start: mov     r8, #N
loop:   nop
        dmb
        isb
        add     r0, r1, r2, lsl #3
        smull   r0, r1, r2, r3
        vadd.i32 q0, q1, q2
        vmov    s0, r0
        cmp     r0, r0
        itt     ne
        movne   r0, #1
        addne   r0, r0, #1
        repeat  r8
        finish
