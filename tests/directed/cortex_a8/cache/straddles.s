@ Single instructions whose bytes lie in two lines although their address is aligned for them, or need
@ not be, N times, when both lines are long in the cache.
@ proves: 0x04 one access of 8 bytes or more counts every line it touches, hits too
@ proves: 0x4D a vector access counts every line it touches, hits too
@ proves: 0x0F an aligned access across lines does not count
@ build: a32 t32
@ set: l1d.replacement = round-robin
@ set: dtlb.replacement = round-robin
@ vary: N = 1, 10, 200
@ expect: UNALIGNED_LDST_RETIRED = 0
@ expect: L1D_CACHE_REFILL = 2
@ expect: L1D_CACHE = 2 + N * (2 * 6 + 1)
@ expect: NEON_L1D_ACCESS = N * 2 * 4
@ expect: NEON_L1D_HIT = N * 2 * 4
        .include "directed.inc"
_start: address r4, buffer
        ldr     r0, [r4]
        ldr     r0, [r4, #64]
        add     r5, r4, #57
        mov     r8, #N
loop:   vldr    d0, [r4, #60]
        vstr    d0, [r4, #60]
        vld1.8  {d0}, [r5]
        b       1f                      @ blocks of one and of several such accesses
1:      vst1.8  {d0}, [r5]
        b       2f
2:      ldrd    r2, r3, [r4, #60]
        strd    r2, r3, [r4, #60]
        ldr     r0, [r4, #60]
        repeat  r8
        finish
        zeroed  buffer, 128, 128
