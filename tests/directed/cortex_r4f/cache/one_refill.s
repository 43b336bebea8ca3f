@ Eight words of each line: one refill, and seven reads of a line that is there or on its way.
@ proves: 0x03 accesses served by the refill that an earlier miss started do not count
@ build: a32 t32
@ vary: LINES = 10, 50, 200
@ expect-change: L1D_CACHE_REFILL = LINES
@ expect-change: L1D_CACHE = 8 * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   .rept   8
        ldr     r0, [r4], #4
        .endr
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
