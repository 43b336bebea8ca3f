@ proves: 0x5B a VFP load and an ALU operation issue together, case F2
@ proves: 0x5E a VFP load and an ALU operation issue together, case F2
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_A = 0 * N
@ expect-change: DUAL_ISSUE_B = 4 * N
@ expect-change: DUAL_ISSUE_OTHER = 0 * N
@ expect-change: DUAL_ISSUE_PAIR = 4 * N
@ expect-change: CPU_CYCLES = N * (4 * 2 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        vldr    s0, [r5]
        add     r1, r2, r3
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
