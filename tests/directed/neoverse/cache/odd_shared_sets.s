// A shared cache of 3 MB, one way: lines 3 MB apart throw each other out, the one 2 MB away stays.
// In the caches before it all three share a set.
// proves: 0x0036 sets of the last level are no power of two
// proves: 0x0037 two of three miss
// set: l1d.size_kb = 16
// set: l1d.ways = 1
// set: l2.size_kb = 64
// set: l2.ways = 1
// set: llc.size_kb = 3072
// set: llc.ways = 1
// vary: N = 100, 600
// expect-change: LL_CACHE_RD = 3 * N
// expect-change: LL_CACHE_MISS_RD = 2 * N
        .include "directed.inc"
_start: address x1, buffer
        add     x2, x1, #512, lsl #12
        add     x3, x1, #768, lsl #12
        number  x9, N
loop:   ldr     x4, [x1]
        ldr     x5, [x2]
        ldr     x6, [x3]
        repeat  x9
        finish
        .bss
        .balign 65536
        .space  32768
buffer: .space  769 * 4096
