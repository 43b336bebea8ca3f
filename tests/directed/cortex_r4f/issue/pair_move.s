@ proves: 0x5C a MOV and an ALU operation issue together
@ proves: 0x5E a MOV and an ALU operation issue together
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_A = 0 * N
@ expect-change: DUAL_ISSUE_B = 0 * N
@ expect-change: DUAL_ISSUE_OTHER = 4 * N
@ expect-change: DUAL_ISSUE_PAIR = 4 * N
@ expect-change: CPU_CYCLES = N * (4 * 2 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        mov     r0, r1
        add     r2, r3, r4
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
