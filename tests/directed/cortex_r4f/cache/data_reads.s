@ One word of each of LINES lines, twice.
@ proves: 0x03 a read that brings a line in counts once, a read that finds it does not
@ proves: 0x04 every read counts, hit or miss
@ proves: 0x43 a linefill is a request
@ proves: 0x44 a miss stalls for the memory's latency
@ proves: 0x42 clean lines are not written back
@ build: a32 t32
@ vary: LINES = 10, 50, 200
@ expect-change: L1D_CACHE_REFILL = LINES
@ expect-change: L1D_CACHE = 2 * LINES
@ expect-change: EXT_MEMORY_REQUEST = LINES
@ expect-change: STALL_LSU_BUSY_CYCLES = 20 * LINES
@ expect-change: L1D_CACHE_WB = 0
        .include "directed.inc"
_start: mov     r9, #2
again:  address r4, buffer
        mov     r8, #LINES
loop:   ldr     r0, [r4], #32
        repeat  r8
        repeat  r9, again
        finish
        zeroed  buffer, 8192, 4096
