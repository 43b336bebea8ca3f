@ A load and five preloads of six lines, one a cycle: each line needs a fill buffer until it is there. Only
@ the load waits in a pend buffer.
@ proves: 0x08 clocks in which a preload waits for a fill buffer count
@ proves: 0x09 preloads that wait for a fill buffer one after the other count once each
@ proves: 0x0B a preload that finds its line not in the data cache does not count
@ set: pend_buffer.entries = 1
@ set: memory.latency_cycles = 200
@ vary: FILLS fill_buffer.entries = 3, 4, 6
@ expect: DCACHE_BUFFER_STALL = 6 - FILLS
@ expect: DCACHE_MISS = 1
        .include "directed.inc"
_start: buffer_at r12
        ldr     r0, [r12]
        pld     [r12, #32]
        pld     [r12, #64]
        pld     [r12, #96]
        pld     [r12, #128]
        pld     [r12, #160]
        finish
        .bss
        .space  512
