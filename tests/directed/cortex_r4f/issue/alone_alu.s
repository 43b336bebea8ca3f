@ proves: 0x5E two ALU operations do not issue together: there is one ALU
@ proves: 0x5A two ALU operations do not issue together: there is one ALU
@ proves: 0x5B two ALU operations do not issue together: there is one ALU
@ proves: 0x5C two ALU operations do not issue together: there is one ALU
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: DUAL_ISSUE_A = 0
@ expect-change: DUAL_ISSUE_B = 0
@ expect-change: DUAL_ISSUE_OTHER = 0
@ expect-change: CPU_CYCLES = N * (4 * 3 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        add     r0, r1, r2
        add     r3, r4, r6
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
