@ PAGES pages of code run in turn, ROUNDS times: each holds a branch to the next. One more page
@ holds the start and the loop, so 31 fit beside it in 32 entries.
@ proves: 0x02 pages that fit in the TLB are walked once, one more and each is walked in every round
@ proves: 0x43 a walk reads two descriptors through level 2
@ set: itlb.entries = 32
@ set: itlb.replacement = round-robin
@ let: ROUNDS = 10
@ vary: PAGES = 31, 32
@ expect: L1I_TLB_REFILL = 32 * (32 - PAGES) + (PAGES - 31) * (1 + (PAGES + 1) * ROUNDS)
@ expect: L1I_CACHE_REFILL = 1 + PAGES
@ expect: L2_ACCESS = L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
        .include "directed.inc"
_start: mov     r8, #ROUNDS
again:  b       chain
back:   repeat  r8, again
        finish
        .balign 4096
        .space  64
chain:  .rept   PAGES - 1
        b       . + 4096 + 64           @ another line of the page, so that no set overflows
        .space  4092 + 64
        .endr
        b       back
