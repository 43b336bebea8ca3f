@ PAGES pages are read in turn, ROUNDS times, through 32 round-robin entries.
@ proves: 0x05 pages that fit in the TLB are walked once, with one more each is walked every round
@ proves: 0x43 a walk reads two descriptors through level 2
@ proves: 0x47 each walk for a data access is a replay
@ set: dtlb.entries = 32
@ set: dtlb.replacement = round-robin
@ set: l1d.size_kb = 32
@ let: ROUNDS = 10
@ vary: PAGES = 32, 33
@ expect: L1D_TLB_REFILL = 32 * (33 - PAGES) + (PAGES - 32) * PAGES * ROUNDS
@ expect: L1D_CACHE_REFILL = PAGES
@ expect: L2_ACCESS = PAGES + 2 * L1D_TLB_REFILL + L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
@ expect: MEMORY_REPLAY = 2 * PAGES + L1D_TLB_REFILL
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        movw    r10, #4096 + 64         @ another set for each
again:  address r4, buffer
        mov     r8, #PAGES
loop:   ldr     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 4160*PAGES, 4096
