@ A product of class 2 is there after 1 + 2 cycles, and each MLA waits for the sum. The counter and the
@ branch issue while the last is waited for.
@ kernel: multiply-accumulate chain: 8 MLA to one sum
@ machine: ixp425
@ set: issue.multiply_class = 2
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * (1 + 2) * N
@ expect-change: INSTRUCTION = 10 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   8
        mla     r0, r1, r2, r0
        .endr
        repeat  r8
        finish
