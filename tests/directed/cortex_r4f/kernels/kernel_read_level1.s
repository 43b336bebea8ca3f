@ Two loads never issue together, an ALU operation or the branch issues with one: 8 cycles. A pointer
@ that the ALU makes is an address 1 + 2 cycles later: that of MOV, in cycle 2, for the load in cycle
@ 5, and that of the next round, made in cycle 4, for cycle 8.
@ kernel: read stream, level 1: 8 words of a line, from 4 KB that the data cache has
@ vary: N = 200, 600
@ expect-change: CPU_CYCLES = 8 * N
@ expect-change: INST_RETIRED = 14 * N
@ expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: address r4, buffer
        movw    r8, #N
loop:   ldr     r0, [r4]
        add     r5, r4, #32
        ldr     r1, [r4, #4]
        bic     r5, r5, #4096
        ldr     r2, [r4, #8]
        mov     r6, r4
        ldr     r3, [r4, #12]
        subs    r8, r8, #1
        ldr     r0, [r4, #16]
        mov     r4, r5
        ldr     r1, [r6, #20]
        ldr     r2, [r6, #24]
        ldr     r3, [r6, #28]
        bne     loop
        finish
        zeroed  buffer, 4096, 8192
