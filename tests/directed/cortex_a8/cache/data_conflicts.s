@ LINES lines, one cache way apart, are read in turn, ROUNDS times.
@ proves: 0x03 as many lines as a set has ways stay; with one more, least recently used, all miss
@ proves: 0x47 a read miss that hits level 2 is replayed once
@ set: l1d.size_kb = 16
@ set: l1d.ways = 4
@ set: l1d.replacement = lru
@ set: l2.size_kb = 256
@ let: ROUNDS = 20
@ vary: LINES = 4, 5
@ expect: L1D_CACHE = LINES * ROUNDS
@ expect: L1D_CACHE_REFILL = 4 * (5 - LINES) + (LINES - 4) * LINES * ROUNDS
@ expect: L1D_TLB_REFILL = LINES
@ expect: MEMORY_REPLAY = L1D_CACHE_REFILL + LINES + L1D_TLB_REFILL
        .include "directed.inc"
_start: mov     r9, #ROUNDS
        mov     r10, #4096
again:  address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4], r10
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 4096*LINES, 4096
