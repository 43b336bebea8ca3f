@ Two ADDs that write the same register do not go together.
@ proves: 0x11 two writers of a register do not issue together
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 2 * N
@ expect-change: ISSUED_INSNS = 18 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        add     r0, r1, #1
        add     r0, r2, #1
        .endr
        bne     loop
        finish
