@ One instruction a cycle; an ALU result is there for the next.
@ kernel: dependent adds: 16 additions to one register
@ machine: ixp425
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 18 * N
@ expect-change: INSTRUCTION = 18 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   16
        add     r0, r0, #1
        .endr
        repeat  r8
        finish
