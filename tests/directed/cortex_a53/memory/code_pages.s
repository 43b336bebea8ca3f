// A branch from page to page, 16 of them, more than the micro TLB has.
// proves: 0x0002 each page refills the micro TLB
// proves: 0x00E2 nothing is there to issue until it is
// vary: N = 20, 30, 50
// expect-change: L1I_TLB_REFILL = 16 * N
// expect-change: L1I_CACHE_REFILL = 0
// expect-change: IUTLB_DEP_STALL >= 16 * N
// expect-change: IUTLB_DEP_STALL <= 16 * 3 * N
        .include "directed.inc"
_start: number  x9, N
        b       page
        .balign 4096
page:   .rept   15
        b       . + 4160
        .space  4156
        .endr
        subs    x9, x9, #1
        b.eq    1f
        b       page
1:      finish
