@ A load's result takes 3 cycles. The counter and the branch issue while the last is waited for.
@ kernel: pointer chase, level 1: 16 pointers
@ machine: ixp425
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 16 * 3 * N
@ expect-change: INSTRUCTION = 18 * N
@ expect-change: DATA_STALL_CYCLES = (15 * 2) * N
        .include "directed.inc"
_start: buffer_at r4
        ldr     r0, [r4]
        str     r4, [r4]
        mov     r8, #N
loop:   .rept   16
        ldr     r4, [r4]
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64
