// Two streams in turns: one goes up by a line, one down by three, with ten divisions from each step
// to the next. Each is followed by itself: only its first four lines, until its stride is known where
// it begins anew, are misses.
// proves: 0x0042 several strides are followed at a time, of several lines, downwards
// proves: 0x0052 into level 2, too
// set: prefetch.lines = 1
// set: prefetch.l1_lines = 1
// set: prefetch.pages = yes
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L1D_CACHE_REFILL_RD = (4 + 4) * N
// expect-change: L2D_CACHE_REFILL_RD = (4 + 4) * N
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
