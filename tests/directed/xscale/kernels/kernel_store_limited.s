@ Each store misses and takes one of 8 write buffers, which drain one after the other in drain_cycles
@ = 24 each: stores issue faster, so the buffers are always full.
@ kernel: store stream, memory: 4 stores, each to 16 bytes of its own
@ machine: ixp425
@ set: write_buffer.entries = 8
@ set: write_buffer.drain_cycles = 24
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = 4 * 24 * N
@ expect-change: INSTRUCTION = 8 * N
@ expect-change: DTLB_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #N
loop:   str     r0, [r4]
        str     r1, [r4, #16]
        str     r2, [r4, #32]
        str     r3, [r4, #48]
        add     r4, r4, #64
        bic     r4, r4, #1024
        repeat  r8
        finish
        .bss
        .space  1024
