@ MRS issues alone. Behind it ADD and the store of the sum go together, for a store reads its data late. SUBS
@ and BNE have a cycle each.
@ proves: 0x11 an ALU result is stored in the same cycle
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 8 * (1 + 1) + 1) * N
@ expect-change: ISSUED_INSNS = 26 * N
        .include "directed.inc"
_start: address r4, buffer
        ldr     r1, [r4]
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        mrs     r3, cpsr
        add     r0, r1, #1
        str     r0, [r4]
        .endr
        bne     loop
        finish
        zeroed  buffer, 128, 64
