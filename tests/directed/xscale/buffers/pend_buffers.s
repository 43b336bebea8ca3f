@ Six loads of six words of one line, one a cycle: the line needs one fill buffer, and each word a pend
@ buffer until it is there. The words come 20 cycles apart.
@ proves: 0x08 clocks in which a load waits for a pend buffer count
@ proves: 0x0B each word of a line that is on its way misses
@ set: bus.width_bits = 32
@ set: bus.beat_cycles = 20
@ vary: PENDS pend_buffer.entries = 3, 4, 6
@ expect: DCACHE_BUFFER_STALL = 6 - PENDS
@ expect: DCACHE_MISS = 6
@ expect: DCACHE_ACCESS = 6
        .include "directed.inc"
_start: buffer_at r12
        ldr     r0, [r12]
        ldr     r1, [r12, #4]
        ldr     r2, [r12, #8]
        ldr     r3, [r12, #12]
        ldr     r4, [r12, #16]
        ldr     r5, [r12, #20]
        finish
        .bss
        .space  512
