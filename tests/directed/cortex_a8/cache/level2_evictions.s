@ 12 lines of one set of a level 2 of 8 ways get PARTS of their 16-byte parts written; the 4 oldest
@ are evicted and their dirty parts go out: 2 packets of 64 bits for each part.
@ proves: 0x46 an eviction sends only the parts that were written, 2 packets of 64 bits each
@ proves: 0x46 what stays in level 2 is not sent
@ proves: 0x45 a write miss reads the rest of its line
@ set: l2.size_kb = 128
@ set: l2.ways = 8
@ set: l2.replacement = lru
@ set: l2.write_allocate = yes
@ set: bus.width_bits = 64
@ vary: PARTS = 1, 2, 4
@ expect: AXI_WRITE_BEATS = 4 * PARTS * 2
@ expect: AXI_READ_BEATS = 8 * L2_CACHE_MISS
@ expect: L1D_CACHE_REFILL = 1
@ expect: L2_STORE_BUFFERABLE = 12 * PARTS
        .include "directed.inc"
_start: address r4, buffer + 1024       @ a set that code and tables do not use
        mov     r8, #12
        movw    r10, #16384
line:   mov     r9, #PARTS
        mov     r5, r4
part:   str     r0, [r5], #16
        repeat  r9, part
        add     r4, r4, r10
        repeat  r8, line
        sub     r4, r4, r10
        ldr     r0, [r4]                @ waits until the last line has left the write buffer
        finish
        zeroed  buffer, 16384*13, 262144
