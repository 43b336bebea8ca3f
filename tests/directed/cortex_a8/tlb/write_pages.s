@ One word is written to each of PAGES pages, ROUNDS times.
@ proves: 0x05 a write that needs a walk counts
@ let: PAGES = 20
@ vary: ROUNDS = 1, 4
@ expect: L1D_TLB_REFILL = PAGES
@ expect: ST_RETIRED = PAGES * ROUNDS
@ expect: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        movw    r10, #4096 + 64
again:  address r4, buffer
        mov     r8, #PAGES
loop:   str     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 4160*PAGES, 4096
