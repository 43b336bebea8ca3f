@ MRS issues alone, so each NOP waits for the next cycle, and MRS for the one behind that. SUBS goes first,
@ BNE with the last NOP.
@ proves: 0x11 a system instruction issues alone
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 8 * 2) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        mrs     r0, cpsr
        nop
        .endr
        bne     loop
        finish
