@ VLD1 reads LINES lines: first from memory, again from level 2 (vector reads do not fill level 1),
@ then from level 1, where an integer load has brought them.
@ proves: 0x4D every line access of a NEON load counts
@ proves: 0x4C those that hit level 1 count
@ proves: 0x4E those that miss level 1 go to level 2
@ proves: 0x4F those that hit there count
@ proves: 0x03 a vector read that does not fill the cache is no refill
@ proves: 0x47 a vector read that misses is not replayed
@ build: a32 t32
@ set: l1d.neon_allocate = no
@ let: LINES = 20
@ expect: NEON_L1D_ACCESS = 3 * LINES
@ expect: NEON_L1D_HIT = LINES
@ expect: NEON_L2_ACCESS = 2 * LINES
@ expect: NEON_L2_HIT = LINES
@ expect: L1D_CACHE = 4 * LINES
@ expect: L1D_CACHE_REFILL = LINES
@ expect: L2_ACCESS = 3 * LINES + 2 + L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
@ expect: L2_CACHE_MISS = LINES + L1I_CACHE_REFILL + 3
@ expect: MEMORY_REPLAY = LINES + 1
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   vld1.32 {d0, d1}, [r4]
        vld1.32 {d0, d1}, [r4]
        ldr     r0, [r4]
        vld1.32 {d0, d1}, [r4]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 4096
