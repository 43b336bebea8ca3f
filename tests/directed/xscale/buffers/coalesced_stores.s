@ Eight bytes a word to each of 16 bytes go into two write buffers: the one that drains, and one that
@ waits behind it. Then the next 16 bytes.
@ proves: 0x08 a store that joins one in the write buffer needs none of its own
@ set: write_buffer.entries = 8
@ set: write_buffer.drain_cycles = 1000
@ set: write_buffer.coalesce = yes
@ vary: STORES = 8, 20, 28
@ expect: DCACHE_BUFFER_STALL_CYCLES = 0
@ expect: DCACHE_MISS = STORES
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #STORES
loop:   str     r0, [r4], #4
        repeat  r8
        finish
        .bss
        .space  512
