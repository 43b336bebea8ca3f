@ proves: 0x5E a load does not join a multiply: both take port A
@ proves: 0x5A a load does not join a multiply: both take port A
@ proves: 0x5B a load does not join a multiply: both take port A
@ proves: 0x5C a load does not join a multiply: both take port A
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
        smulbb  r0, r1, r2
        ldr     r3, [r5]
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
