@ LINES lines of straight code, then the end. One refill a line, four fetches of 64 bits.
@ proves: 0x01 one refill for each line, however many instructions and fetches it brings
@ proves: 0x01 fetches served by the refill of a line already on its way do not count
@ proves: 0x58 one access for each aligned doubleword of code
@ proves: 0x40 a refill is a gap of the memory's latency
@ proves: 0x43 a refill is a request
@ build: a32 t32
@ vary: LINES = 4, 20, 60
@ expect-change: L1I_CACHE_REFILL = LINES
@ expect-change: L1I_CACHE = 4 * LINES
@ expect-change: STALL_IFETCH_CYCLES = 20 * LINES
@ expect-change: EXT_MEMORY_REQUEST = LINES
@ expect-change: INST_RETIRED = 8 * LINES
        .include "directed.inc"
_start: .rept   LINES
        .rept   8
        add     r0, r1, r2
        .endr
        .endr
        finish
