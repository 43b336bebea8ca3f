@ The same stores where stores do not coalesce: each has a write buffer of its own.
@ proves: 0x08 stores that do not coalesce each need a write buffer
@ set: write_buffer.entries = 8
@ set: write_buffer.drain_cycles = 1000
@ set: write_buffer.coalesce = no
@ vary: STORES = 9, 20, 28
@ expect: DCACHE_BUFFER_STALL = STORES - 8
@ expect: DCACHE_MISS = STORES
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #STORES
loop:   str     r0, [r4], #4
        repeat  r8
        finish
        .bss
        .space  512
