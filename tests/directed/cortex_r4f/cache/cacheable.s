@ proves: 0x57 cacheable accesses, refills and write-backs are none of memory that is not cacheable
@ proves: 0x59 stores to memory of one kind never clash
@ build: a32 t32
@ let: N = 200
@ set: l1d.replacement = lru
@ expect: NON_CACHEABLE_ACCESS_AXI_MASTER = 0
@ expect: STORE_BUFFER_ATTRIBUTE_CLASH = 0
@ expect: L1D_CACHE_REFILL >= N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4]
        strb    r0, [r4, #7]
        add     r4, r4, #8192
        repeat  r8
        finish
        zeroed  buffer, 1646592, 4096
