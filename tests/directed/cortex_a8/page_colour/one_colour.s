@ The same with 16 KiB, where a way is no larger than a page and address bit 12 chooses no set.
@ proves: 0x4B a cache whose ways are no larger than a page has no colours
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ set: memory.page_map = scattered
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
