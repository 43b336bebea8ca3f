@ Branches that are not taken, and BNE: each takes a cycle, although two instructions can issue in one.
@ SUBS goes with the first.
@ proves: 0x11 one branch issues in a cycle
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (2 * 4 + 1) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        beq     1f
        beq     1f
1:
        .endr
        bne     loop
        finish
