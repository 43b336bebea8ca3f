@ SMULBB to SMULBB 5, and each issues for one cycle.
@ proves: 0x11 a product of half words is there after five cycles
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.half_multiply_latency = 5
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 5 * N
@ expect-change: ISSUED_OPS = (8 * 1 + 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        smulbb  r0, r0, r1
        .endr
        bne     loop
        finish
