@ UMLAL issues for long_multiply_cycles = 3, and the next takes its sum without a wait. Where the
@ halves of the sum change places it waits for the product, which an accumulator needs 2 cycles after
@ a factor: 7 - 2 = 5 cycles. So does ADD, an operand needed 1 cycle later than a factor, for 7 - 1 = 6;
@ SUBS issues beside it, BNE a cycle after.
@ proves: 0x11 a long product is handed to the accumulator of the next long multiplication
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: issue.long_multiply_latency = 7
@ set: issue.long_multiply_cycles = 3
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (8 * 3 + 2 * 5 + 6 + 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   8
        umlal   r0, r3, r1, r2
        .endr
        umlal   r0, r3, r1, r2
        umlal   r3, r0, r1, r2
        umlal   r0, r3, r1, r2
        add     r5, r3, #1
        repeat  r8
        finish
