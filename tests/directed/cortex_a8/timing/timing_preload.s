@ A preload takes the load/store pipe as the load behind it does.
@ proves: 0x11 a preload and a load do not issue together
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * 2 * N
        .include "directed.inc"
_start: address r4, buffer
        ldr     r1, [r4]
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        pld     [r4]
        ldr     r0, [r4]
        .endr
        bne     loop
        finish
        zeroed  buffer, 128, 64
