// Pages have 16 KB, so that 128 loads, 4160 bytes apart, are in 33 of them: 127 * 4160 / 16384 is 32.2. Both TLBs have 16
// entries. Each page is walked for once in a pass, by the three descriptors that 47 bits of an address need.
// proves: 0x0034 each page is walked for
// proves: 0x002D each fills the second TLB
// proves: 0x0050 a walk reads level 2 three times
// proves: 0x0052 level 2 has the descriptors
// set: memory.page_kb = 16
// set: walk.levels = 3
// set: l1d.size_kb = 4
// set: l2.size_kb = 1024
// set: dtlb.entries = 16
// set: l2tlb.entries = 16
// set: l2tlb.ways = 16
// let: LINES = 128
// let: STEP = 4160
// vary: N = 2, 3, 5
// expect-change: DTLB_WALK = 33 * N
// expect-change: L2D_TLB_REFILL = 33 * N
// expect-change: L2D_CACHE_RD = (128 + 3 * 33) * N
// expect-change: L2D_CACHE_REFILL_RD = 0
        .include "directed.inc"
_start: link
        number  x9, LINES * N
loop:   ldr     x1, [x1]
        repeat  x9
        finish
        zeroed  buffer, LINES*STEP, 16384
