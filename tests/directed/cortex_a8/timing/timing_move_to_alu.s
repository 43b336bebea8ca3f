@ MRS issues alone. Behind it MOV and the ADD that uses it go together. SUBS and BNE have a cycle each.
@ proves: 0x11 a result of MOV reaches the ALU in the same cycle
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 8 * (1 + 1) + 1) * N
@ expect-change: ISSUED_INSNS = 26 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        mrs     r3, cpsr
        mov     r1, r2
        add     r0, r1, #1
        .endr
        bne     loop
        finish
