@ One page of data more than the data TLB has entries is written over and over.
@ proves: 0x04 each page written that is not in the data TLB counts
@ proves: 0x04 round robin throws out the entry that came first
@ let: PAGES = 33
@ vary: ROUNDS = 2, 5, 9
@ expect-change: DTLB_MISS = PAGES * ROUNDS
@ expect-change: DCACHE_ACCESS = 2 * PAGES * ROUNDS
@ set: l1d.write_allocate = yes
@ expect-change: DCACHE_MISS = 0
@ expect-change: ITLB_MISS = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        mov     r10, #4096
        add     r10, r10, #32
again:  buffer_at r4
        mov     r8, #PAGES
loop:   str     r0, [r4]
        str     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, (4096+32)*PAGES
