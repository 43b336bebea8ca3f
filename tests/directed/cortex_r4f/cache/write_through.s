@ Stores to lines that were read before, in memory that is written through.
@ proves: 0x03 write-through stores that hit do not refill and do not count
@ proves: 0x04 a write-through store is an access
@ proves: 0x42 nothing is written back that was written through
@ proves: 0x43 each write-through store is a request
@ build: a32 t32
@ set: regions.write_through_kb = 4096
@ set: regions.write_through_size_kb = 64
@ vary: LINES = 10, 50, 200
@ expect-change: L1D_CACHE_REFILL = LINES
@ expect-change: L1D_CACHE = 2 * LINES
@ expect-change: L1D_CACHE_WB = 0
@ expect-change: EXT_MEMORY_REQUEST = 2 * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   ldr     r1, [r4]
        str     r0, [r4], #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
