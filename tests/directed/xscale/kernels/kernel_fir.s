@ Samples and coefficients are 16 bits, two in a register; the coefficients stay in r9 to r12. The
@ loads and the MOV take cycles 0 to 4. A product of halves takes 2 cycles: the 8 of them start in
@ cycle 5, 7, and so on to 19, the sum is stored in cycle 21, behind the ADD, and BIC, counter and
@ branch are the rest: 25 cycles.
@ kernel: FIR of 8 taps: one output from 8 samples of 16 bits, by SMLABB and SMLATT
@ machine: ixp425
@ vary: N = 100, 300
@ expect-change: CPU_CYCLES = 25 * N
@ expect-change: INSTRUCTION = 18 * N
        .include "directed.inc"
_start: buffer_at r4
        add     r7, r4, #1024
        ldr     r0, [r7]
        number  r8, N
loop:   ldr     r0, [r4]
        ldr     r1, [r4, #4]
        ldr     r2, [r4, #8]
        ldr     r3, [r4, #12]
        mov     r6, #0
        smlabb  r6, r0, r9, r6
        smlatt  r6, r0, r9, r6
        smlabb  r6, r1, r10, r6
        smlatt  r6, r1, r10, r6
        smlabb  r6, r2, r11, r6
        smlatt  r6, r2, r11, r6
        smlabb  r6, r3, r12, r6
        smlatt  r6, r3, r12, r6
        add     r4, r4, #4
        str     r6, [r7]
        bic     r4, r4, #256
        repeat  r8
        finish
        zeroed  buffer, 2048
