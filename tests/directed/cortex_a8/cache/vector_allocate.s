@ The same where vector reads fill level 1: the second finds what the first brought.
@ proves: 0x4C a line that a vector read brought in is hit by the next
@ proves: 0x03 a vector read that fills the cache is a refill
@ set: l1d.neon_allocate = yes
@ let: LINES = 20
@ expect: NEON_L1D_ACCESS = 2 * LINES
@ expect: NEON_L1D_HIT = LINES
@ expect: NEON_L2_ACCESS = LINES
@ expect: NEON_L2_HIT = 0
@ expect: L1D_CACHE_REFILL = LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   vld1.32 {d0, d1}, [r4]
        vldr    d2, [r4, #8]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 4096
