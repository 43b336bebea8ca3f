@ A sum is needed a cycle later than a plain operand: MLA's 4 cycles, less 1. The counter issues
@ between two of them, the branch with the last.
@ kernel: multiply-accumulate chain: 8 MLA to one sum
@ set: issue.multiply_latency = 4
@ set: issue.multiply_cycles = 2
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 8 * (4 - 1) * N
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
