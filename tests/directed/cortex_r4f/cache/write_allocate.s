@ One word stored to each of LINES lines.
@ proves: 0x03 a write counts when it causes a refill
@ proves: 0x04 a store is an access
@ build: a32 t32
@ vary: LINES = 10, 50, 200
@ expect-change: L1D_CACHE_REFILL = LINES
@ expect-change: L1D_CACHE = LINES
@ expect-change: EXT_MEMORY_REQUEST = LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4], #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
