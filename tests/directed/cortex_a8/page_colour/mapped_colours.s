@ 16 small pages are read ROUNDS times. The program's own tables put the first OTHER of them into the
@ frames of their neighbours, whose bit 12 differs, and the others into frames of the same colour.
@ proves: 0x4B each access to a page that firmware's tables put into a frame of the other colour counts
@ proves: 0x4B an access to a page that firmware's tables put into a frame of its own colour does not
@ engine: bare
@ set: l1d.size_kb = 32
@ set: l1d.ways = 4
@ let: PAGES = 16
@ let: OTHER = 6
@ vary: ROUNDS = 1, 5, 7
@ expect: L1D_CACHE = PAGES * ROUNDS
@ expect: L1D_PAGE_COLOUR_ALIAS = OTHER * ROUNDS
@ expect: L1D_TLB_REFILL = PAGES
        .include "directed.inc"
        .include "translation.inc"
        .macro  translated_later        @ what precedes the MMU
        address r1, small
        orr     r2, r1, #1
        str     r2, [r0, #4 * 5]        @ the megabyte at 0x500000
        mov     r2, #0
2:      cmp     r2, #OTHER
        eorlo   r3, r2, #1
        movhs   r3, r2
        lsl     r3, r3, #12
        orr     r3, r3, #0x600000
        orr     r3, r3, #0x7e           @ write-back, write-allocate; a small page
        str     r3, [r1, r2, lsl #2]
        add     r2, r2, #1
        cmp     r2, #PAGES
        blo     2b
        .endm
_start: translate translated_later
        mov     r9, #ROUNDS
        mov     r10, #4096
again:  mov     r4, #0x500000
        mov     r8, #PAGES
loop:   ldr     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  table, 16384, 16384
        zeroed  small, 1024
