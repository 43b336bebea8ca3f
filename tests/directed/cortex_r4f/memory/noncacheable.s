@ Loads and stores of memory that is not cacheable.
@ proves: 0x57 each load and each group of stores to a line is a request to memory that is not cacheable
@ proves: 0x43 they are requests
@ proves: 0x04 they are no accesses to the cache
@ proves: 0x03 nor do they refill it
@ proves: 0x44 a load waits for the memory
@ build: a32 t32
@ set: regions.noncacheable_kb = 4096
@ set: regions.noncacheable_size_kb = 64
@ vary: N = 10, 50, 200
@ expect-change: NON_CACHEABLE_ACCESS_AXI_MASTER = 3 * N
@ expect-change: EXT_MEMORY_REQUEST = 3 * N
@ expect-change: L1D_CACHE = 0
@ expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4]
        ldm     r4, {r0-r3}
        str     r0, [r4], #32
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
