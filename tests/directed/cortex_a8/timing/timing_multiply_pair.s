@ MUL issues for 2 cycles, and ADD joins it in the second. SUBS and BNE have
@ a cycle each.
@ proves: 0x11 what follows a multiplication joins its last cycle
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 8 * 2 + 1) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        mul     r0, r1, r2
        add     r3, r1, #1
        .endr
        bne     loop
        finish
