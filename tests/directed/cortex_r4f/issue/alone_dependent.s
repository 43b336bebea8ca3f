@ proves: 0x5E an instruction that reads what the first writes does not join it
@ proves: 0x5A an instruction that reads what the first writes does not join it
@ proves: 0x5B an instruction that reads what the first writes does not join it
@ proves: 0x5C an instruction that reads what the first writes does not join it
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
        mov     r0, r1
        add     r2, r0, r4
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
