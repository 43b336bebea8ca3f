@ proves: 0x45 a load and a store of Strongly ordered memory drain
@ proves: 0x57 they are requests to memory that is not cacheable
@ build: a32 t32
@ set: regions.ordered_kb = 4096
@ set: regions.ordered_size_kb = 64
@ vary: N = 10, 50, 200
@ expect-change: FORCED_DRAIN_OF_STORE_BUFFER = 2 * N
@ expect-change: NON_CACHEABLE_ACCESS_AXI_MASTER = 2 * N
@ expect-change: STORE_BUFFER_MERGE = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4]
        str     r0, [r4]
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
