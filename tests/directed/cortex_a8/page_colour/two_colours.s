@ A frame that firmware maps at two addresses, one of each colour. Each of 16 lines is read by the one and
@ by the other, ROUNDS times. It is in the data cache once, so every read brings it in anew.
@ proves: 0x4B of two addresses of a frame the one of the other colour counts
@ proves: 0x03 a line that is read under both colours in turn is refilled each time
@ engine: bare
@ set: l1d.size_kb = 32
@ set: l1d.ways = 4
@ let: LINES = 16
@ vary: ROUNDS = 1, 5
@ expect: L1D_CACHE = 2 * LINES * ROUNDS
@ expect: L1D_CACHE_REFILL = 2 * LINES * ROUNDS
@ expect: L1D_PAGE_COLOUR_ALIAS = LINES * ROUNDS
        .include "directed.inc"
        .include "translation.inc"
        .macro  small_pages
        address r1, small
        orr     r2, r1, #1
        str     r2, [r0, #4 * 5]        @ the megabyte at 0x500000
        mov     r3, #0x600000
        orr     r3, r3, #0x7e           @ write-back, write-allocate; a small page
        str     r3, [r1]
        str     r3, [r1, #4]
        .endm
_start: translate small_pages
        mov     r9, #ROUNDS
again:  mov     r4, #0x500000
        add     r5, r4, #0x1000
        mov     r8, #LINES
loop:   ldr     r0, [r4], #64
        ldr     r0, [r5], #64
        repeat  r8
        repeat  r9, again
        finish
        zeroed  table, 16384, 16384
        zeroed  small, 1024
