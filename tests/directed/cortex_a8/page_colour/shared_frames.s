@ Two virtual addresses of one frame, by descriptors of each KIND: small pages, large pages, sections,
@ supersections, and sections of a short table (TTBCR.N). Each of 16 lines is read by the one and then by the other.
@ proves: 0x03 a line that came in by one address of its frame is there by another of the same colour
@ engine: bare
@ let: LINES = 16
@ vary: KIND = 0, 1, 2, 3, 4
@ expect: L1D_CACHE = 2 * LINES
@ expect: L1D_CACHE_REFILL = LINES
@ expect: L1D_PAGE_COLOUR_ALIAS = 0
        .include "directed.inc"
        .include "translation.inc"

        .macro  descriptors number, value  @ that many of them, from r1 on
        mov     r3, #\number
        address r2, \value
3:      str     r2, [r1], #4
        repeat  r3, 3b
        .endm

        .macro  map_twice
        .if     KIND == 0
        .set    first, 0x500000
        .set    second, 0x504000
        add     r1, r0, #4 * 5
        descriptors 1, small+1
        address r1, small
        descriptors 1, 0x60007e
        add     r1, r1, #4 * 3
        descriptors 1, 0x60007e
        .elseif KIND == 1
        .set    first, 0x500000
        .set    second, 0x510000
        add     r1, r0, #4 * 5
        descriptors 1, small+1
        address r1, small
        descriptors 32, 0x61103d        @ write-back, write-allocate: TEX stands at bit 12
        .elseif KIND == 2
        .set    first, 0x700000
        .set    second, 0x800000
        add     r1, r0, #4 * 7
        descriptors 2, 0x600c0e
        .elseif KIND == 3
        .set    first, 0x1000000
        .set    second, 0x2000000
        add     r1, r0, #4 * 16
        descriptors 32, 0x3040c0e
        .else
        .set    split, 4                @ a table of 256 descriptors
        .set    first, 0x700000
        .set    second, 0x800000
        address r1, short
        mov     r2, #0
3:      ldr     r3, [r0, r2, lsl #2]
        str     r3, [r1, r2, lsl #2]
        add     r2, r2, #1
        cmp     r2, #256
        blo     3b
        address r0, short
        add     r1, r0, #4 * 7
        descriptors 2, 0x600c0e
        .endif
        .endm

_start: translate map_twice
        address r4, first
        address r5, second
        mov     r8, #LINES
loop:   ldr     r0, [r4], #64
        ldr     r0, [r5], #64
        repeat  r8
        finish
        zeroed  table, 16384, 16384
        zeroed  small, 1024
        zeroed  short, 1024
