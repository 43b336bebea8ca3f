@ UMULL to UMULL 7.
@ proves: 0x11 a long product is there after seven cycles
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.long_multiply_latency = 7
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 7 * N
@ expect-change: ISSUED_OPS = (8 * 3 + 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        umull   r0, r3, r0, r1
        .endr
        bne     loop
        finish
