@ proves: 0x5E with dual issue off nothing pairs
@ proves: 0x11 two instructions that could pair take two cycles with dual issue off
@ build: a32 t32
@ set: issue.width = 1
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: CPU_CYCLES = N * (8 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        ldr     r0, [r5]
        add     r1, r2, r3
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
