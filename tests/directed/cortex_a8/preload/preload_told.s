@ Preloads by no register of a load or store: without a system the engine sees registers. N of them while all
@ memory is Strongly-ordered, then N of a page that is cacheable and in the data TLB.
@ proves: 0x43 a preload of memory that is not cacheable is no access to level 2
@ proves: 0x44 a preload whose address the engine tells misses in level 2
@ engine: bare
@ vary: N = 10, 20, 50
@ expect-change: L2_ACCESS = N
@ expect-change: L2_CACHE_MISS = N
        .include "directed.inc"
        .include "translation.inc"
_start: address r5, buffer
        mov     r8, #N
early:  pld     [r5, r8, lsl #6]
        repeat  r8, early
        translate
        ldr     r0, [r5]
        mov     r8, #N
loop:   pld     [r5, r8, lsl #6]
        repeat  r8
        finish
        zeroed  table, 16384, 16384
        zeroed  buffer, 4096
