// 8 MB that are mapped without a file contain three whole aligned blocks of 2 MB. Each pass loads 12 times, 512 KB and a line apart:
// from 12 pages of 4 KB, which are in 3 pages of 2 MB. Both TLBs have 2 entries, so each of the 3 is walked for in each pass, by 2
// descriptors in place of 3.
// proves: 0x0005 a huge page has one entry of the first TLB
// proves: 0x002D and one of the second
// proves: 0x0034 each huge page is walked for
// proves: 0x0050 a walk for one reads level 2 twice
// set: memory.huge_pages = yes
// set: walk.levels = 3
// set: dtlb.entries = 2
// set: l2tlb.entries = 2
// set: l2tlb.ways = 2
// vary: N = 2, 3, 5
// expect-change: L1D_TLB_REFILL = 3 * N
// expect-change: L2D_TLB_REFILL = 3 * N
// expect-change: DTLB_WALK = 3 * N
// expect-change: L1D_CACHE_RD = 12 * N
// expect-change: L2D_CACHE_RD = 3 * 2 * N
        .include "directed.inc"
_start: mov     x0, #0
        number  x1, 8 << 20
        mov     x2, #3
        mov     x3, #0x22
        mov     x4, #-1
        mov     x5, #0
        mov     x8, #222
        svc     #0
        number  x9, (2 << 20) - 1
        add     x0, x0, x9
        bic     x10, x0, x9
        number  x11, (512 << 10) + 64
        mov     x8, #N
again:  mov     x1, x10
        mov     x9, #12
loop:   ldr     x2, [x1]
        add     x1, x1, x11
        subs    x9, x9, #1
        b.ne    loop
        subs    x8, x8, #1
        b.ne    again
        finish
