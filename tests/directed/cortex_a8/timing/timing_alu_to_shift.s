@ Each ADD shifts the sum before it: 1 cycle, and 1 more since it is needed a stage early.
@ proves: 0x11 an ALU result reaches a shifted operand after two cycles
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * (1 + 1) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        add     r0, r2, r0, lsl #1
        .endr
        bne     loop
        finish
