@ MUL to ADD 6 - 1, since the ALU needs it a stage later; ADD to MUL 1 + 1.
@ proves: 0x11 a product reaches the ALU a cycle sooner than another multiplication
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.multiply_latency = 6
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * (5 + 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        mul     r0, r0, r1
        add     r0, r0, #1
        .endr
        bne     loop
        finish
