@ The same stores in a cache that fills on writes as well.
@ proves: 0x03 a write counts when it causes a refill
@ proves: 0x42 a store that its own cache takes does not go to level 2
@ set: l1d.write_allocate = yes
@ let: LINES = 30
@ expect: L1D_CACHE = 2 * LINES
@ expect: L1D_CACHE_REFILL = LINES
@ expect: L2_STORE_BUFFERABLE = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4]
        str     r0, [r4, #4]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 4096
