// Loads of falling addresses, one line below the other, are followed into level 1 alone: two lines ahead, and not further,
// into level 2. Level 1 keeps 64 lines, level 2 1024 and the shared cache all 2048. Each line is read from the shared cache
// once, and the two below the last one.
// proves: 0x00A0 lines of level 1 alone are prefetched
// set: prefetch.lines = 20
// set: prefetch.l1_lines = 2
// set: prefetch.pages = yes
// set: prefetch.downwards = no
// set: l1d.size_kb = 4
// set: l2.size_kb = 64
// set: llc.size_kb = 1024
// let: LINES = 2048
// vary: N = 2, 3, 5
// expect-change: L3D_CACHE_RD = (2048 + 2) * N
        .include "directed.inc"
_start: mov     x8, #N
again:  address x1, top
        number  x9, LINES
loop:   ldr     x3, [x1], #-64
        repeat  x9
        repeat  x8, again
        finish
        .bss
        .balign 4096
        .space  (LINES + 64) * 64
top:    .space  64
