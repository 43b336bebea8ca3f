@ Samples and coefficients are 16 bits, two in a register; the coefficients stay in r9 to r12. The
@ loads issue in cycles 0 to 3, with the counter, MOV and ADD. A product of halves takes 3 cycles, and
@ a sum is needed a cycle later than that: SMLAD issue in cycles 4, 6, 8 and 10, BIC between two of
@ them, and the store, whose data is needed a cycle later, too, with the branch in cycle 12.
@ kernel: FIR of 8 taps: one output from 8 samples of 16 bits, by 4 SMLAD
@ set: issue.half_multiply_latency = 3
@ set: issue.half_multiply_cycles = 1
@ vary: N = 100, 200, 600
@ expect-change: CPU_CYCLES = 13 * N
@ expect-change: INST_RETIRED = 14 * N
        .include "directed.inc"
_start: address r4, samples
        address r7, output
        ldr     r0, [r7]
        movw    r8, #N
loop:   ldr     r0, [r4]
        subs    r8, r8, #1
        ldr     r1, [r4, #4]
        mov     r6, #0
        ldr     r2, [r4, #8]
        ldr     r3, [r4, #12]
        add     r4, r4, #4
        smlad   r6, r0, r9, r6
        bic     r4, r4, #256
        smlad   r6, r1, r10, r6
        smlad   r6, r2, r11, r6
        smlad   r6, r3, r12, r6
        str     r6, [r7]
        bne     loop
        finish
        zeroed  samples, 256+12, 512
        zeroed  output, 4, 64
