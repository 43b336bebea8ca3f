@ proves: 0x5E nothing joins a transfer of several registers
@ proves: 0x5A nothing joins a transfer of several registers
@ proves: 0x5B nothing joins a transfer of several registers
@ proves: 0x5C nothing joins a transfer of several registers
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: DUAL_ISSUE_A = 0
@ expect-change: DUAL_ISSUE_B = 0
@ expect-change: DUAL_ISSUE_OTHER = 0
@ expect-change: CPU_CYCLES = N * (4 * 4 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        ldrd    r0, r1, [r5]
        add     r2, r3, r4
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
