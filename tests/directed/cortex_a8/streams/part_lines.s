@ All of each line but its last word: level 2 has to read it, 8 beats of 64 bits.
@ proves: 0x45 a line that stores have written in part is read
@ set: l2.write_allocate = yes
@ set: store_buffer.drain_cycles = 100
@ set: bus.width_bits = 64
@ vary: LINES = 5, 10, 20
@ expect-change: L2_CACHE_MISS = LINES
@ expect-change: AXI_READ_BEATS = 8 * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   .rept   15
        str     r0, [r4], #4
        .endr
        add     r4, r4, #4
        repeat  r8
        ldr     r0, [r4, #-64]          @ waits until the last line has left the write buffer
        finish
        zeroed  buffer, 4096, 4096
