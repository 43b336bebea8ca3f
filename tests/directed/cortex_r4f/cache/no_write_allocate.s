@ proves: 0x03 a store that misses does not refill where writes do not allocate
@ proves: 0x43 it is a request of its own
@ build: a32 t32
@ set: l1d.write_allocate = no
@ vary: LINES = 10, 50, 200
@ expect-change: L1D_CACHE_REFILL = 0
@ expect-change: EXT_MEMORY_REQUEST = LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4], #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
