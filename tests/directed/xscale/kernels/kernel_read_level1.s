@ One instruction a cycle. A loaded register can be written again after 3 cycles, and comes in turn
@ after 4: nothing waits.
@ kernel: read stream, level 1: 8 words of a line, from 4 KB that the data cache has
@ machine: ixp425
@ vary: N = 200, 600
@ expect-change: CPU_CYCLES = 12 * N
@ expect-change: INSTRUCTION = 12 * N
@ expect-change: DCACHE_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        number  r8, N
loop:   .irp    offset, 0, 16
        ldr     r0, [r4, #\offset]
        ldr     r1, [r4, #\offset + 4]
        ldr     r2, [r4, #\offset + 8]
        ldr     r3, [r4, #\offset + 12]
        .endr
        add     r4, r4, #32
        bic     r4, r4, #4096
        repeat  r8
        finish
        zeroed  buffer, 4096
