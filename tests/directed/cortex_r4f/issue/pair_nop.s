@ proves: 0x5A an ALU operation and a NOP issue together, case A
@ proves: 0x5E an ALU operation and a NOP issue together, case A
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_A = 4 * N
@ expect-change: DUAL_ISSUE_B = 0 * N
@ expect-change: DUAL_ISSUE_OTHER = 0 * N
@ expect-change: DUAL_ISSUE_PAIR = 4 * N
@ expect-change: CPU_CYCLES = N * (4 * 2 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        add     r0, r1, r2
        nop
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
