@ The lines that are fetched wait the longer, the longer memory takes; so does the walk that the one
@ page of the code needs, which reads two descriptors.
@ proves: 0x01 clocks of an instruction cache miss count
@ proves: 0x01 clocks of an instruction TLB miss count
@ proves: 0x00 an instruction TLB miss is no instruction cache miss
@ set: bus.width_bits = 256
@ let: LINES = 5
@ vary: LATENCY memory.latency_cycles = 50, 80, 200
@ expect: L1I_CACHE_MISS = LINES
@ expect: ITLB_MISS = 1
@ expect-change: ICACHE_NO_DELIVER_CYCLES = (LINES + 2) * LATENCY
        .include "directed.inc"
_start: .rept   8 * LINES - 3
        nop
        .endr
        finish
