@ 64 KB in turn never stay in 32 KB that are replaced in turn. Nothing needs the words, 4 lines are on
@ their way at a time, and what bounds the stream is the bus: 8 words of a line, 4 cycles each.
@ kernel: read stream, memory: one word of each of 4 lines
@ machine: ixp425
@ set: memory.latency_cycles = 80
@ set: bus.width_bits = 32
@ set: bus.beat_cycles = 4
@ set: fill_buffer.entries = 4
@ vary: N = 512, 2048
@ expect-change: CPU_CYCLES = 4 * 8 * 4 * N
@ expect-change: INSTRUCTION = 8 * N
@ expect-change: DCACHE_MISS = 4 * N
@ expect-change: DTLB_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        number  r8, N
loop:   ldr     r0, [r4]
        ldr     r1, [r4, #32]
        ldr     r2, [r4, #64]
        ldr     r3, [r4, #96]
        add     r4, r4, #128
        bic     r4, r4, #65536
        repeat  r8
        finish
        .bss
        .space  65536
