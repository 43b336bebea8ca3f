@ The same lines as in write_back.s, with parity: the cache writes through.
@ proves: 0x42 a data cache with parity never writes back
@ build: a32 t32
@ set: l1d.protection = parity
@ vary: LINES = 8, 16, 48
@ set: l1d.replacement = lru
@ expect-change: L1D_CACHE_WB = 0
@ expect-change: L1D_CACHE_REFILL = 0
@ expect-change: EXT_MEMORY_REQUEST = LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4]
        add     r4, r4, #8192
        repeat  r8
        finish
        zeroed  buffer, 401408, 4096
