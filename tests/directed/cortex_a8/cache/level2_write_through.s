@ The same stores where level 2 does not fill on writes: each part goes straight to the bus.
@ proves: 0x46 a write that level 2 does not take goes out at once
@ proves: 0x44 such a write misses
@ set: l2.write_allocate = no
@ set: store_buffer.drain_cycles = 1
@ set: bus.width_bits = 64
@ let: LINES = 12
@ expect: L2_STORE_BUFFERABLE = LINES
@ expect: L2_STORE_MERGED = 0
@ expect: AXI_WRITE_BEATS = LINES * 2
@ expect: L2_CACHE_MISS = LINES + L1I_CACHE_REFILL + 3
@ expect: AXI_READ_BEATS = 8 * (L1I_CACHE_REFILL + 3)
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   str     r0, [r4], #64
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 65536
