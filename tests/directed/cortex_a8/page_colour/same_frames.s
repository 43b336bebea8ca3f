@ The same where every page lies in the frame of its own number.
@ proves: 0x4B where virtual and physical addresses agree nothing counts
@ set: l1d.size_kb = 32
@ set: l1d.ways = 4
@ set: memory.page_map = identity
@ let: PAGES = 64
@ vary: ROUNDS = 1, 5, 7
@ expect: L1D_CACHE = PAGES * ROUNDS
@ expect: L1D_PAGE_COLOUR_ALIAS = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        mov     r10, #4096
again:  address r4, buffer
        mov     r8, #PAGES
loop:   ldr     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 4096*PAGES, 4096
