// The two streams of prefetched_streams, of which the prefetcher knows one instruction at a time: each
// load finds the other's place, and nothing is fetched ahead.
// proves: 0x0042 what is followed has its place by the address of the instruction
// set: prefetch.entries = 1
// expect-change: L1D_CACHE_REFILL_RD = 2 * 2048 * N
// set: prefetch.lines = 1
// set: prefetch.l1_lines = 1
// set: prefetch.pages = yes
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
        .include "directed.inc"
_start: mov     x8, #N
        mov     x2, #1
again:  address x1, up
        address x4, top
        number  x9, LINES
loop:   ldr     x3, [x1], #64
        ldr     x5, [x4], #-192
        .rept   10
        udiv    x1, x1, x2
        .endr
        eor     x6, x1, x1
        add     x4, x4, x6
        repeat  x9
        repeat  x8, again
        finish
        .bss
        .balign 4096
up:     .space  (LINES + 64) * 64
        .space  (LINES + 64) * 192
top:    .space  64
