@ 10 loads that need nothing of each other: one a cycle, the counter and the branch beside them.
@ proves: 0x11 one load or store is issued in a cycle
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 10 * N
@ expect-change: ISSUED_INSNS = 12 * N
@ expect-change: L1D_CACHE = 10 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   5
        ldr     r0, [r4]
        ldr     r1, [r4, #4]
        .endr
        bne     loop
        finish
        zeroed  buffer, 64, 64
