@ LINES lines of code are run through twice. All words of a line come at once, after 100 cycles.
@ proves: 0x00 each line of code that is not in the instruction cache misses once
@ proves: 0x00 a fetch that hits does not count
@ proves: 0x01 each miss waits for memory, clock by clock
@ set: memory.latency_cycles = 100
@ set: bus.width_bits = 256
@ vary: LINES = 8, 40, 100
@ expect-change: L1I_CACHE_MISS = LINES
@ expect-change: ICACHE_NO_DELIVER_CYCLES = 100 * LINES
@ expect-change: ITLB_MISS = 0
@ expect: INSTRUCTION = 1 + 2 * (8 * LINES + 2) + 3
        .include "directed.inc"
_start: mov     r8, #2
loop:   .rept   8 * LINES
        nop
        .endr
        repeat  r8
        finish
