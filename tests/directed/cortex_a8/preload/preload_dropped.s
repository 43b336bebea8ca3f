@ Preloads that bring nothing: of a page that the data TLB does not have, where the load behind it walks, and of
@ a line that level 1 has.
@ proves: 0x05 a preload does not walk
@ proves: 0x43 a preload without a translation, or of a line that level 1 has, is no access to level 2
@ vary: N = 4, 8, 16
@ expect-change: L1D_TLB_REFILL = N
@ expect-change: L2_ACCESS = 3 * N
@ expect-change: L1D_CACHE_REFILL = N
        .include "directed.inc"
_start: address r4, buffer
        add     r4, r4, #4096
        mov     r8, #N
loop:   pld     [r4]
        ldr     r0, [r4, #-4092]
        pld     [r4, #-4092]
        add     r4, r4, #4096
        repeat  r8
        finish
        zeroed  buffer, 4096*18, 4096
