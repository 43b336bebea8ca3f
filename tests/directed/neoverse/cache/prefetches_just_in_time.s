// Two chases from line to line through what level 2 has and level 1 has not, with a prefetcher that is
// one line ahead: a line comes 14 cycles after the load before it was issued. With six additions from
// load to load, 4 + 6 cycles later, that is as soon as a hit's data would be there: only the 4 until
// the stride is known are refills of a pass. With five, a load waits one cycle, so that the next is
// one later and has its line in time: every other load is a refill, too.
// proves: 0x0003 a load that waits for a prefetched line is a refill, one that need not wait is not
// set: latency.alu = 1
// set: latency.load = 4
// set: l2.hit_cycles = 14
// set: prefetch.on_arrival = no
// set: prefetch.lines = 1
// set: prefetch.l1_lines = 1
// set: prefetch.pages = yes
// set: dtlb.entries = 48
// set: l1d.size_kb = 4
// set: l2.size_kb = 256
// let: LINES = 2048
// let: STEP = 64
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL = (4 + 4 + 2044 // 2) * N
// expect-change: L2D_CACHE_REFILL = 0
        .include "directed.inc"

        .macro  follow additions
        number  x9, LINES * N
0:      ldr     x1, [x1]
        .rept   \additions
        add     x1, x1, #0
        .endr
        repeat  x9, 0b
        .endm

_start: link
        follow  6
        follow  5
        finish
        zeroed  buffer, LINES*STEP, 4096
