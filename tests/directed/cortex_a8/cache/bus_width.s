@ The same 16 lines of data over buses of two widths. All data lines and the code miss everywhere.
@ proves: 0x45 a line of 64 bytes is 512 bits in packets of the bus's width
@ proves: 0x44 16 lines of data, 1 of code, 1 first level and 2 second level table lines miss
@ vary: WIDTH bus.width_bits = 32, 64, 128
@ let: LINES = 16
@ expect: L1D_CACHE_REFILL = LINES
@ expect: L2_CACHE_MISS = LINES + 1 + 1 + 2
@ expect: AXI_READ_BEATS = (LINES + 4) * (512 // WIDTH)
@ expect: AXI_WRITE_BEATS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4], #64
        repeat  r8
        finish
        zeroed  buffer, 64*LINES, 64
