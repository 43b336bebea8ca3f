@ Samples and coefficients are 16 bits, two in a register; the coefficients stay in r9 to r12. The
@ loads issue in cycles 0 to 3. A loaded factor is needed a stage early, 2 + 1 cycles behind its load:
@ the multiplies issue in cycles 3 to 6, one a cycle, the sum goes on without a wait. The rest pairs
@ with them. The last sum is there half_multiply_latency = 5 cycles after cycle 6, and 2 cycles
@ less for the data of a store, needed 2 stages later than a factor: the store and the branch
@ issue in cycle 6 + 5 - 2 = 9, the tenth.
@ kernel: FIR of 8 taps: one output from 8 samples of 16 bits, by 4 SMLAD
@ set: branch.history_bits = 0
@ set: issue.half_multiply_latency = 5
@ set: issue.half_multiply_cycles = 1
@ vary: N = 100, 300
@ expect-change: CPU_CYCLES = 10 * N
@ expect-change: INST_RETIRED = 14 * N
        .include "directed.inc"
_start: address r4, samples
        address r7, output
        ldr     r0, [r7]
        mov     r8, #N
loop:   ldr     r0, [r4]
        subs    r8, r8, #1
        ldr     r1, [r4, #4]
        mov     r6, #0
        ldr     r2, [r4, #8]
        smlad   r6, r0, r9, r6
        ldr     r3, [r4, #12]
        smlad   r6, r1, r10, r6
        add     r4, r4, #4
        smlad   r6, r2, r11, r6
        bic     r4, r4, #256
        smlad   r6, r3, r12, r6
        str     r6, [r7]
        bne     loop
        finish
        zeroed  samples, 256+12, 512
        zeroed  output, 4, 64
