@ The loaded word comes after 2 cycles, and the sum as an address after 1 + 1.
@ proves: 0x11 a loaded value reaches the ALU after two cycles, and a sum an address after two
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 8 * (2 + 2) * N
        .include "directed.inc"
_start: address r4, buffer
        str     r4, [r4]
        mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   8
        ldr     r4, [r4]
        add     r4, r4, #0
        .endr
        bne     loop
        finish
        zeroed  buffer, 128, 64
