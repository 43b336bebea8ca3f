@ As many stores as there are write buffers find room.
@ proves: 0x08 a store that finds a write buffer does not wait
@ set: write_buffer.entries = 8
@ set: write_buffer.drain_cycles = 1000
@ vary: STORES = 7, 8
@ expect: DCACHE_BUFFER_STALL_CYCLES = 0
@ expect: DCACHE_BUFFER_STALL = 0
@ expect: DCACHE_MISS = STORES
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #STORES
loop:   str     r0, [r4], #16
        repeat  r8
        finish
        .bss
        .space  512
