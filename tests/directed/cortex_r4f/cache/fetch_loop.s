@ A loop of two lines, N times. A jump back fetches the doubleword it goes to anew.
@ proves: 0x01 lines that stay in the cache are not refilled
@ proves: 0x58 hits are accesses too
@ build: a32 t32
@ vary: N = 10, 20, 200
@ expect-change: L1I_CACHE_REFILL = 0
@ expect-change: L1I_CACHE = N * 8
        .include "directed.inc"
_start: mov     r8, #N
        .balign 32
loop:   .rept   14
        add     r0, r1, r2
        .endr
        repeat  r8
        finish
