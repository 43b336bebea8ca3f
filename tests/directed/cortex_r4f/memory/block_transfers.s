@ LDM of eight words at a line's start and in its middle: doublewords, and lines.
@ proves: 0x04 every doubleword that an LDM moves is an access
@ proves: 0x03 every line that an LDM brings in counts
@ proves: 0x06 an LDM counts once, whatever it touches
@ build: a32 t32
@ vary: N = 10, 20, 40
@ expect-change: L1D_CACHE = N * (4 + 5)
@ expect-change: L1D_CACHE_REFILL = N * 3
@ expect-change: LD_RETIRED = 2 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r9, #N
loop:   ldm     r4, {r0-r3, r5-r7, r8}
        add     r4, r4, #52
        ldm     r4, {r0-r3, r5-r7, r8}
        add     r4, r4, #44
        repeat  r9
        finish
        zeroed  buffer, 8192, 4096
