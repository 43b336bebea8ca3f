@ One instruction a cycle, whether or not it needs the one before.
@ kernel: independent adds: 16 additions to four registers in turn
@ machine: ixp425
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 18 * N
@ expect-change: INSTRUCTION = 18 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   4
        add     r0, r0, #1
        add     r1, r1, #1
        add     r2, r2, #1
        add     r3, r3, #1
        .endr
        repeat  r8
        finish
