@ As many pages of data as the data TLB has entries are read over and over.
@ proves: 0x04 a page in the data TLB does not count
@ let: PAGES = 32
@ vary: ROUNDS = 2, 5, 9
@ expect-change: DTLB_MISS = 0
@ expect-change: DCACHE_ACCESS = 2 * PAGES * ROUNDS
@ expect-change: DCACHE_MISS = 0
@ expect-change: ITLB_MISS = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        mov     r10, #4096
        add     r10, r10, #32
again:  buffer_at r4
        mov     r8, #PAGES
loop:   ldr     r0, [r4]
        ldr     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, (4096+32)*PAGES
