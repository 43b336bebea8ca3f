@ Without translation all data is Strongly-ordered: nothing is cached, each access goes to the bus.
@ proves: 0x03 reads and writes of memory that is not cacheable do not refill the cache
@ proves: 0x04 reads and writes of memory that is not cacheable do not count
@ proves: 0x05 without translation nothing needs a walk
@ proves: 0x06 reads of memory that is not cacheable count
@ proves: 0x07 writes of memory that is not cacheable count
@ proves: 0x42 a store to memory that is not cacheable is not bufferable
@ proves: 0x43 accesses to memory that is not cacheable pass level 2 by
@ proves: 0x4D NEON accesses to memory that is not cacheable do not count
@ engine: bare
@ vary: N = 50, 150
@ expect: L1D_CACHE = 0
@ expect: L1D_CACHE_REFILL = 0
@ expect: L1D_TLB_REFILL = 0
@ expect: L2_STORE_BUFFERABLE = 0
@ expect: NEON_L1D_ACCESS = 0
@ expect: NEON_L1D_HIT = 0
@ expect: NEON_L2_ACCESS = 0
@ expect-change: L2_ACCESS = 0
@ expect-change: LD_RETIRED = 3 * N
@ expect-change: ST_RETIRED = 2 * N
@ expect-change: AXI_READ_BEATS = (2 + 2) * N
@ expect-change: AXI_WRITE_BEATS = 2 * N
        .include "directed.inc"
_start: mrc     p15, 0, r1, c1, c0, 2
        orr     r1, r1, #0xf << 20
        mcr     p15, 0, r1, c1, c0, 2   @ CPACR
        mov     r2, #1 << 30
        vmsr    fpexc, r2
        address r4, buffer
        mov     r8, #N
loop:   ldr     r0, [r4]
        str     r0, [r4, #4]
        vldr    d0, [r4, #8]
        vstr    d0, [r4, #16]
        ldm     r4, {r0-r3}             @ two beats
        repeat  r8
        finish
        zeroed  buffer, 64, 64
