// 1024 lines of code in turn, twice what the instruction cache has: each line is fetched from level 2.
// proves: 0x0001 each line is brought
// proves: 0x0014 each is asked for
// proves: 0x00E1 nothing is there to issue until it is
// set: l1i.size_kb = 32
// set: l2.size_kb = 512
// vary: N = 2, 3, 5
// expect-change: L1I_CACHE_REFILL = 1025 * N
// expect-change: L1I_CACHE = 1025 * N
// expect-change: IC_DEP_STALL >= 1024 * 8 * N
// expect-change: IC_DEP_STALL <= 1025 * 17 * N
        .include "directed.inc"
_start: number  x9, N
        .balign 64
loop:   .rept   1024 * 16
        add     x1, x1, #1
        .endr
        subs    x9, x9, #1
        b.eq    1f
        b       loop
1:      finish
