@ Six loads of six lines, one a cycle: each line needs a fill buffer until it is there.
@ proves: 0x08 clocks in which a load waits for a fill buffer count
@ proves: 0x09 loads that wait for a fill buffer one after the other count once each
@ set: pend_buffer.entries = 16
@ set: memory.latency_cycles = 200
@ vary: FILLS fill_buffer.entries = 3, 4, 6
@ expect: DCACHE_BUFFER_STALL = 6 - FILLS
@ expect: DCACHE_MISS = 6
        .include "directed.inc"
_start: buffer_at r12
        ldr     r0, [r12]
        ldr     r1, [r12, #32]
        ldr     r2, [r12, #64]
        ldr     r3, [r12, #96]
        ldr     r4, [r12, #128]
        ldr     r5, [r12, #160]
        finish
        .bss
        .space  512
