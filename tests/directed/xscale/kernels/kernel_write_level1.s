@ One instruction a cycle; a store that hits needs no more.
@ kernel: write stream, level 1: 8 words of a line, to 4 KB that the data cache has
@ machine: ixp425
@ vary: N = 200, 600
@ expect-change: CPU_CYCLES = 12 * N
@ expect-change: INSTRUCTION = 12 * N
@ expect-change: DCACHE_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #128                @ stores that miss do not fill the cache: reads do
fill:   ldr     r0, [r4], #32
        repeat  r8, fill
        buffer_at r4
        number  r8, N
loop:   .irp    offset, 0, 4, 8, 12, 16, 20, 24, 28
        str     r0, [r4, #\offset]
        .endr
        add     r4, r4, #32
        bic     r4, r4, #4096
        repeat  r8
        finish
        zeroed  buffer, 4096
