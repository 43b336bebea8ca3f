@ proves: 0x45 an exclusive and SWP of Shared memory drain, other accesses to it do not
@ set: regions.noncacheable_kb = 4096
@ set: regions.noncacheable_size_kb = 64
@ vary: N = 10, 50, 200
@ expect-change: FORCED_DRAIN_OF_STORE_BUFFER = 2 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   ldrex   r0, [r4]
        clrex
        swp     r0, r1, [r4]
        ldr     r0, [r4]
        str     r0, [r4]
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
