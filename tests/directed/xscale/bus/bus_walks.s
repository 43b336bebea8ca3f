@ A word of each of PAGES pages is read: a line each, and a walk of two levels.
@ proves: 0x10 each descriptor that a table walk reads is a request to the 80200's bus unit
@ machine: xscale-80200
@ vary: PAGES = 2, 20
@ expect: DTLB_MISS = PAGES
@ expect-change: PRODUCT0 = (1 + 2) * PAGES
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #PAGES
        mov     r5, #4096
loop:   ldr     r0, [r4], r5
        repeat  r8
        finish
        zeroed  buffer, 4096*20
