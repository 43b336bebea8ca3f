@ MLA issues for multiply_cycles = 2 in the older slot, and the next does not wait for the sum: 8 are
@ 16 cycles. The counter pairs with the last cycle of the first, the branch with that of the last.
@ kernel: multiply-accumulate chain: 8 MLA to one sum
@ set: branch.history_bits = 0
@ set: issue.multiply_cycles = 2
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 2 * N
@ expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   mla     r0, r1, r2, r0
        subs    r8, r8, #1
        .rept   7
        mla     r0, r1, r2, r0
        .endr
        bne     loop
        finish
