// A program stores to a line and cleans and invalidates it, over and over: each store misses, and what
// it wrote goes to memory. DC CVAU after it cleans nothing more, and the line stays lost.
// proves: 0x0043 DC CIVAC of a program takes the line from level 1
// proves: 0x0018 and writes what level 2 has of it
// vary: N = 100, 1000
// expect-change: L1D_CACHE_REFILL_WR = N
// expect-change: L2D_CACHE_WB = N
        .include "directed.inc"
_start: address x1, buffer
        number  x9, N
loop:   str     x9, [x1]
        dc      civac, x1
        dc      cvau, x1
        repeat  x9
        finish
        zeroed  buffer, 64, 64
