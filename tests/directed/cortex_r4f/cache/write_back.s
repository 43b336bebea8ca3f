@ Lines of one set, stored to, are thrown out by as many others: each is written back once.
@ proves: 0x42 a changed line that leaves the cache is written back
@ proves: 0x43 a write-back is a request
@ build: a32 t32
@ vary: LINES = 8, 16, 48
@ set: l1d.replacement = lru
@ expect-change: L1D_CACHE_REFILL = LINES
@ expect-change: L1D_CACHE_WB = LINES
@ expect-change: EXT_MEMORY_REQUEST = 2 * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4]
        add     r4, r4, #8192
        repeat  r8
        finish
        zeroed  buffer, 401408, 4096
