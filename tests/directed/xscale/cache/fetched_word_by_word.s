@ The words of a line come one by one. Each instruction but the line's first waits for its own: all
@ but one of the BEAT cycles, in the one in which the one before it issues nothing waits.
@ proves: 0x01 words of a line that is on its way are waited for one by one
@ proves: 0x00 a fetch that finds its line on its way does not count again
@ set: bus.width_bits = 32
@ set: memory.latency_cycles = 50
@ let: LINES = 5
@ vary: BEAT bus.beat_cycles = 2, 5, 9
@ expect: L1I_CACHE_MISS = LINES
@ expect-change: ICACHE_NO_DELIVER_CYCLES = 7 * LINES * BEAT
        .include "directed.inc"
_start: .rept   8 * LINES - 3
        nop
        .endr
        finish
