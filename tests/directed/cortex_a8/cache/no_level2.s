@ Reads and writes on a machine without level 2.
@ proves: 0x43 without a level 2 cache nothing accesses it
@ proves: 0x44 without a level 2 cache nothing misses in it
@ proves: 0x46 without a level 2 cache stores go to the bus, 2 packets of 64 bits for a part
@ set: l2.size_kb = 0
@ set: bus.width_bits = 64
@ vary: LINES = 10, 30
@ expect: L2_ACCESS = 0
@ expect: L2_CACHE_MISS = 0
@ expect: AXI_WRITE_BEATS = LINES * 2
@ expect-change: AXI_READ_BEATS = LINES * 8
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4]
        str     r0, [r4, #2048]
        add     r4, r4, #64
        repeat  r8
        finish
        zeroed  buffer, 8192, 65536
