@ STM of eight words at a line's start and in its middle: doublewords, and lines.
@ proves: 0x04 every doubleword that an STM moves is an access
@ proves: 0x03 every line that an STM brings in counts
@ proves: 0x07 an STM counts once, whatever it touches
@ build: a32 t32
@ vary: N = 10, 20, 40
@ expect-change: L1D_CACHE = N * (4 + 5)
@ expect-change: L1D_CACHE_REFILL = N * 3
@ expect-change: ST_RETIRED = 2 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r9, #N
loop:   stm     r4, {r0-r3, r5-r7, r8}
        add     r4, r4, #52
        stm     r4, {r0-r3, r5-r7, r8}
        add     r4, r4, #44
        dsb
        repeat  r9
        finish
        zeroed  buffer, 8192, 4096
