@ Five pieces of code in one set of four ways, LRU: each is gone when it comes again.
@ proves: 0x01 as many lines as a set has ways stay; with one more, least recently used, all miss
@ build: a32 t32
@ set: l1i.replacement = lru
@ vary: PIECES = 4, 5
@ let: N = 30
@ expect: L1I_CACHE_REFILL >= N * (PIECES // 5) * 5
@ expect: L1I_CACHE_REFILL <= N * (PIECES // 5) * 5 + 12
        .include "directed.inc"
_start: mov     r8, #N
        b       loop
        .balign 8192
loop:   b       1f
        .balign 8192
1:      b       2f
        .balign 8192
2:      b       3f
        .balign 8192
3:      .if     PIECES == 5
        b       4f
        .balign 8192
4:
        .endif
        repeat  r8
        finish
