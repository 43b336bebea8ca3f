@ 13 NEON reads of lines that no cache has, one a cycle. The load queue has 12 entries; the first read
@ starts when its data has come, hit_cycles + minimum_cycles + latency_cycles = 8 + 25 + WAIT after
@ it entered, and the 13th waits for that, all but the 12 cycles it came later.
@ proves: 0x59 with the load queue full the pipeline waits until the oldest load has its data
@ vary: WAIT memory.latency_cycles = 0, 40, 100
@ expect: NEON_QUEUE_FULL_CYCLES = 8 + 25 + WAIT - 12
        .include "directed.inc"
_start: address r4, buffer
        ldr     r0, [r4]                @ the page is in the TLB
        .set    line, 1
        .rept   13
        vldr    d0, [r4, #64 * line]
        .set    line, line + 1
        .endr
        .rept   400
        nop
        .endr
        finish
        zeroed  buffer, 4096, 4096
