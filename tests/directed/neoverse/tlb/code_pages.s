// A branch in each of 128 pages of code, more than the first TLB has.
// proves: 0x0002 each misses the first TLB
// proves: 0x002F each asks the second
// proves: 0x005E a fetch is a read
// proves: 0x0035 the second has all
// proves: 0x0005 code is no data
// proves: 0x0026 each looks up the first
// vary: N = 2, 3, 5
// expect-change: L1I_TLB = 128 * N
// expect-change: L1I_TLB_REFILL = 128 * N
// expect-change: L2D_TLB = 128 * N
// expect-change: L2D_TLB_RD = 128 * N
// expect-change: ITLB_WALK = 0
// expect-change: L1D_TLB_REFILL = 0
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
