@ MOV, a cycle later the ADD that shifts what it moved, another later the next MOV.
@ proves: 0x11 a result of MOV reaches a shifted operand a cycle later
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 2 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        mov     r1, r0
        add     r0, r2, r1, lsl #1
        .endr
        bne     loop
        finish
