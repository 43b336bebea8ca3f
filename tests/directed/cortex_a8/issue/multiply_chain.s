@ 5 multiplications that each need the product before: 6 cycles each, of which they issue for 2.
@ proves: 0x11 a product is there after its latency
@ proves: 0x55 an instruction that issues for 2 cycles is 2 operations
@ proves: 0x57 an instruction that issues for several cycles is counted once
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.multiply_latency = 6
@ set: issue.multiply_cycles = 2
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 5 * 6 * N
@ expect-change: ISSUED_INSNS = 7 * N
@ expect-change: ISSUED_OPS = (2 + 5 * 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   5
        mul     r0, r0, r1
        .endr
        bne     loop
        finish
