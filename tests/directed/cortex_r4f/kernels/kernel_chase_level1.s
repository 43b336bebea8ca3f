@ A load's result takes 2 cycles and 2 more to be an address. The counter and the branch issue while
@ the last is waited for.
@ kernel: pointer chase, level 1: 16 pointers
@ set: issue.load_latency = 2
@ set: issue.address_extra = 2
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 16 * (2 + 2) * N
@ expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: address r4, buffer
        str     r4, [r4]
        mov     r8, #N
loop:   .rept   16
        ldr     r4, [r4]
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 64
