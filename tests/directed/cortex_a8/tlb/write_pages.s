@ One word is written to each of PAGES pages, ROUNDS times.
@ proves: 0x05 a write that needs a walk counts
@ let: PAGES = 20
@ vary: ROUNDS = 1, 4
@ expect: L1D_TLB_REFILL = PAGES
@ expect: ST_RETIRED = PAGES * ROUNDS
@ expect: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        movw    r10, #4096 + 64
again:  address r4, buffer
        mov     r8, #PAGES
loop:   str     r0, [r4], r10
        subs    r8, r8, #1
        bne     loop
        subs    r9, r9, #1
        bne     again
        finish
        .bss
        .balign 4096
buffer: .space  4160 * PAGES
