@ Of each line a word is loaded two rounds after it was preloaded: it comes from level 2. The load tells the
@ address of the preload.
@ proves: 0x43 a preload of a line that level 1 does not have is an access to level 2
@ proves: 0x44 a preload of a line that level 2 does not have misses there, the load behind it does not
@ proves: 0x45 a preload brings a line from memory once
@ proves: 0x47 the load behind a preload is replayed once, as it hits level 2
@ proves: 0x03 a preload does not count, the load behind it refills the cache
@ proves: 0x04 a preload does not count
@ proves: 0x06 a preload is no read
@ build: a32 t32
@ vary: N = 10, 20, 50
@ expect-change: L2_ACCESS = 2 * N
@ expect-change: L2_CACHE_MISS = N
@ expect-change: AXI_READ_BEATS = 8 * N
@ expect-change: MEMORY_REPLAY = N
@ expect-change: L1D_CACHE_REFILL = N
@ expect-change: L1D_CACHE = N
@ expect-change: LD_RETIRED = N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   pld     [r4, #128]
        ldr     r0, [r4]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 4096, 4096
