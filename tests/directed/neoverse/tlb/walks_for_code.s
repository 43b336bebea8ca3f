// The same where the second TLB has no room for them either.
// proves: 0x0035 each is walked for
// proves: 0x002D each fills the second TLB
// proves: 0x005C a fetch is a read
// proves: 0x0034 code is no data
// proves: 0x005D a fetch is no store
// set: l2tlb.entries = 32
// set: l2tlb.ways = 4
// vary: N = 2, 3, 5
// expect-change: ITLB_WALK = 128 * N
// expect-change: L2D_TLB_REFILL = 128 * N
// expect-change: L2D_TLB_REFILL_RD = 128 * N
// expect-change: DTLB_WALK = 0
// expect-change: L2D_TLB_REFILL_WR = 0
        .include "directed.inc"
_start: number  x9, N
        b       code
        .balign 4096
code:   .rept   127
        b       . + 4096
        .balign 4096
        .endr
        subs    x9, x9, #1
        b.eq    out
        address x1, code
        br      x1
out:    finish
