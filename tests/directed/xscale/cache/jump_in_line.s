@ Each of LINES lines is entered with its first word, which jumps over the next 5 to the seventh,
@ while the line is still on its way.
@ proves: 0x00 a jump within a line that is on its way does not count again
@ proves: 0x07 instructions that a jump passes over do not count
@ set: bus.width_bits = 32
@ set: bus.beat_cycles = 8
@ vary: LINES = 4, 30
@ expect-change: L1I_CACHE_MISS = LINES
@ expect-change: INSTRUCTION = 3 * LINES
@ expect-change: BRANCH = LINES
        .include "directed.inc"
_start: nop
        .balign 32
        .rept   LINES
        b       1f
        .rept   5
        udf
        .endr
1:      nop
        nop
        .endr
        finish
