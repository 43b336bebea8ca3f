@ LINES lines of one set of four ways, LRU, read in turn N times.
@ proves: 0x03 as many lines as a set has ways stay; with one more, least recently used, all miss
@ build: a32 t32
@ set: l1d.replacement = lru
@ let: N = 30
@ vary: LINES = 4, 5
@ expect: L1D_CACHE_REFILL = 4 + (LINES // 5) * (N * 5 - 4)
        .include "directed.inc"
_start: mov     r9, #N
again:  address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4]
        add     r4, r4, #8192
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 65536, 4096
