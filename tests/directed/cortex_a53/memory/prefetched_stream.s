// A load of each of 4096 lines one after the other, with a prefetcher that goes five lines ahead: after the first few of each page it
// brings all that the loads want.
// proves: 0x00C2 lines are brought ahead of loads
// proves: 0x0003 loads that find them bring none
// set: prefetch.lines = 5
// set: prefetch.l1_lines = 5
// set: memory.latency_cycles = 20
// expect: PREFETCH_LINEFILL >= 4096 * 3 // 4
// expect: L1D_CACHE_REFILL <= 4096 // 4
        .include "directed.inc"
_start: address x1, buffer
        number  x9, 4096
loop:   ldr     x2, [x1], #64
        .rept   40
        add     x3, x3, #1
        .endr
        repeat  x9
        finish
        zeroed  buffer, 4096*64, 4096
