@ As many pages of code as the instruction TLB has entries stay in it.
@ proves: 0x03 a page in the instruction TLB does not count
@ let: PAGES = 32
@ vary: ROUNDS = 2, 5, 9
@ expect-change: ITLB_MISS = 0
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
