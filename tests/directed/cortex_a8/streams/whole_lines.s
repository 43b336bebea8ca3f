@ Each line is wholly stored to while the entry before it drains, which takes longer than the 16 stores
@ of a line: level 2 takes the line and need not read it. Only the first store of all finds the write
@ buffer empty and drains alone.
@ proves: 0x44 a line that stores bring into level 2 misses there
@ proves: 0x45 a line that stores have written wholly is not read
@ proves: 0x41 the stores to a line merge but the first
@ set: l2.write_allocate = yes
@ set: store_buffer.drain_cycles = 100
@ vary: LINES = 5, 10, 20
@ expect-change: L2_CACHE_MISS = LINES
@ expect-change: AXI_READ_BEATS = 0
@ expect-change: L2_STORE_MERGED = 15 * LINES
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   .rept   16
        str     r0, [r4], #4
        .endr
        repeat  r8
        finish
        zeroed  buffer, 4096, 4096
