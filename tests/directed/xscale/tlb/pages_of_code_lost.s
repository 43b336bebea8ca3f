@ One page of code more than the instruction TLB has entries: each is thrown out before it comes again.
@ proves: 0x03 each page that is not in the instruction TLB counts
@ proves: 0x03 round robin throws out the entry that came first
@ let: PAGES = 33
@ vary: ROUNDS = 2, 5, 9
@ expect-change: ITLB_MISS = PAGES * ROUNDS
@ expect-change: L1I_CACHE_MISS = 0
@ expect: DTLB_MISS = 0
        .include "directed.inc"
_start: mov     r8, #ROUNDS
loop:   b       pages
back:   repeat  r8
        finish
        .balign 4096
        .space  64
pages:  .rept   PAGES - 2               @ a line further in each, in another set of the cache
        b       .+4096+32
        .space  4096+32-4
        .endr
        b       back
