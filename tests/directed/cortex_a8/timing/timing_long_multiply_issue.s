@ 8 independent UMULL issue for 3 cycles each. SUBS goes first, for nothing joins a multiplication but in
@ its last cycle, where BNE does.
@ proves: 0x11 a long multiplication issues for three cycles
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 8 * 3) * N
@ expect-change: ISSUED_OPS = (8 * 3 + 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        umull   r0, r3, r1, r2
        .endr
        bne     loop
        finish
