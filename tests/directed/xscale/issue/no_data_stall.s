@ What looks like a wait for a result and is none: enough instructions between a load and its use,
@ the multiplier busy with another product, the base of a load, a store's data address, lists.
@ proves: 0x02 a result that is there when it is used costs nothing
@ proves: 0x02 a wait for the multiplier is none for data
@ vary: N = 10, 100
@ expect: DATA_STALL_CYCLES = 0
        .include "directed.inc"
_start: buffer_at r4
        buffer_at r9
        ldr     r0, [r9]
        mov     r8, #N
        .rept   64
        mov     r11, r11                @ until the line is there
        mov     r11, r11
        mov     r11, r11
        mov     r11, r11
        .endr
loop:   ldr     r0, [r4], #4
        sub     r4, r4, #4
        mov     r11, r11
        add     r1, r0, r0
        mul     r2, r8, r8
        mul     r3, r8, r8
        ldm     r9, {r5, r6}
        add     r5, r5, r6
        str     r5, [r9]
        repeat  r8
        finish
        zeroed  buffer, 64
