@ Stores to lines the cache does not have, LINES of them, then to lines it has.
@ proves: 0x03 a store that misses does not refill when the cache allocates on reads only
@ proves: 0x03 a store that hits causes no linefill and does not count
@ proves: 0x04 a store that misses is an access
@ proves: 0x42 a store that misses goes to level 2, a store that hits does not
@ proves: 0x43 a store that misses level 1 is an access to level 2
@ proves: 0x44 a store to a line level 2 does not have misses there
@ set: l1d.write_allocate = no
@ set: l2.write_allocate = yes
@ let: LINES = 30
@ expect: ST_RETIRED = 2 * LINES
@ expect: LD_RETIRED = LINES
@ expect: L1D_CACHE = 3 * LINES
@ expect: L1D_CACHE_REFILL = LINES
@ expect: L2_STORE_BUFFERABLE = LINES
@ expect: L2_STORE_MERGED = 0
@ expect: L2_ACCESS = 2 * LINES + 2 + L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
@ expect: L2_CACHE_MISS = LINES + L1I_CACHE_REFILL + 3
@ expect: AXI_READ_BEATS = 8 * L2_CACHE_MISS
@ expect: AXI_WRITE_BEATS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4]                @ misses
        ldr     r0, [r4]                @ fills
        str     r0, [r4], #64           @ hits
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 4096
