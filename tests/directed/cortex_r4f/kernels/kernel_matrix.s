@ LDM issue for 2 cycles, alone, in cycles 0 and 3, the counter between them. A factor from the second
@ is there 3 + 1 cycles after it began: multiplies issue for 2 cycles each, cycles 7 to 22; sums do
@ not wait. The last, from cycle 21, takes 4 cycles and is data for a store a cycle earlier: STM
@ issues in cycles 24 and 25, the branch in 26.
@ kernel: matrix multiply, 2 by 2: two matrices of words read, their product written
@ set: issue.multiply_latency = 4
@ set: issue.multiply_cycles = 2
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 27 * N
@ expect-change: INST_RETIRED = 13 * N
        .include "directed.inc"
_start: address r4, buffer
        add     r5, r4, #16
        add     r13, r4, #32
        mov     r8, #N
loop:   ldm     r4, {r0-r3}
        subs    r8, r8, #1
        ldm     r5, {r6, r7, r12, r14}
        mul     r9, r0, r6
        mul     r10, r0, r7
        mla     r9, r1, r12, r9
        mla     r10, r1, r14, r10
        mul     r11, r2, r6
        mul     r7, r2, r7
        mla     r11, r3, r12, r11
        mla     r12, r3, r14, r7
        stm     r13, {r9-r12}
        bne     loop
        finish
        zeroed  buffer, 64, 64
