@ LINES lines in 2 pages are read in turn, ROUNDS times; they fit.
@ proves: 0x03 a read that brings a line in counts once, a read that finds it does not
@ proves: 0x04 every access to a line counts, hit or miss
@ proves: 0x05 one walk for each page
@ proves: 0x43 a data refill is one access to level 2
@ proves: 0x47 a read miss that misses in level 2 as well is replayed twice, a walk once
@ proves: 0x44 the table entries of 16 pages share a line of level 2
@ set: l1d.size_kb = 16
@ let: LINES = 128
@ vary: ROUNDS = 1, 3
@ expect: LD_RETIRED = LINES * ROUNDS
@ expect: L1D_CACHE = LINES * ROUNDS
@ expect: L1D_CACHE_REFILL = LINES
@ expect: L1D_TLB_REFILL = 2
@ expect: MEMORY_REPLAY = 2 * LINES + 2
@ expect: L2_ACCESS = LINES + 2 * 2 + L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
@ expect: L2_CACHE_MISS = LINES + L1I_CACHE_REFILL + 1 + 2
@ expect: L2_STORE_BUFFERABLE = 0
@ expect: NEON_L1D_ACCESS = 0
        .include "directed.inc"
_start: mov     r9, #ROUNDS
again:  address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4], #64
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 64*LINES, 4096
