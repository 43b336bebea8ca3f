@ Unaligned words and halfwords; an aligned word and bytes; a doubleword at a word's boundary.
@ proves: 0x0F each instruction that accesses an unaligned address counts once
@ proves: 0x0F bytes, aligned words and register lists at a word's boundary do not
@ let: N = 50
@ expect: UNALIGNED_LDST_RETIRED = 4 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4, #1]
        str     r0, [r4, #6]
        ldrh    r0, [r4, #3]
        strh    r0, [r4, #31]
        ldrb    r0, [r4, #5]
        ldr     r0, [r4, #4]
        ldrd    r0, r1, [r4, #4]
        ldmib   r4, {r0, r1}
        repeat  r8
        finish
        zeroed  buffer, 256, 4096
