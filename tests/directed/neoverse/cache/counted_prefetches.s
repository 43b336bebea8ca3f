// A prefetcher that is four lines ahead of loads counts the lines that it brings as refills of level 2, and the loads that
// wait for them do not: a refill of level 2 for each line, and for the four after the last one.
// proves: 0x0017 a prefetch that brings a line counts
// proves: 0x0052 so it does of reads
// set: prefetch.lines = 4
// set: prefetch.l1_lines = 0
// set: prefetch.pages = yes
// set: prefetch.refills = yes
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L2D_CACHE_REFILL = (2048 + 4) * N
// expect-change: L2D_CACHE_REFILL_RD = (2048 + 4) * N
        .include "directed.inc"
_start: passes  ldr     x3, [x1], #64
        finish_lines
