@ Two LDM of 4 issue for 2 + 4 cycles each, the counter between them. The multiplier takes a product
@ every 2 cycles, of class 2, from cycle 13 on: the first 7 start in cycles 13, 15 and so on, the last
@ in cycle 27. It is there 3 cycles later, when STM begins; that issues for 6, the branch for one.
@ kernel: matrix multiply, 2 by 2: two matrices of words read, their product written
@ machine: ixp425
@ set: issue.multiply_class = 2
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (27 + 3 + 6 + 1) * N
@ expect-change: INSTRUCTION = 13 * N
        .include "directed.inc"
_start: buffer_at r4
        add     r5, r4, #16
        add     r13, r4, #32
        ldr     r0, [r13]               @ stores that miss do not fill the cache
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
        zeroed  buffer, 64
