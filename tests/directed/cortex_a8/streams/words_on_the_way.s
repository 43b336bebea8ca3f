@ The first word of each line misses all caches; the last comes 7 beats behind it. The third load finds
@ all of the line there.
@ proves: 0x11 a load waits for its word of a line that is on its way
@ proves: 0x04 such a load is an access
@ proves: 0x03 and no refill
@ set: bus.width_bits = 64
@ let: LINES = 32
@ vary: BEAT bus.beat_cycles = 4, 10, 30
@ expect-change: CPU_CYCLES = 7 * BEAT * LINES
@ expect: L1D_CACHE = 3 * LINES
@ expect: L1D_CACHE_REFILL = LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4]
        ldr     r0, [r4, #56]
        ldr     r0, [r4, #48]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 4096, 4096
