@ All 16 words of a line, one after the other, in each of LINES lines.
@ proves: 0x03 accesses served by the refill that an earlier miss started do not count
@ build: a32 t32
@ let: LINES = 40
@ expect: L1D_CACHE = 16 * LINES
@ expect: L1D_CACHE_REFILL = LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES * 16
loop:   ldr     r0, [r4], #4
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 4096
