@ STORES stores miss the cache, each to 16 bytes of its own. From the ninth on each waits for the oldest
@ of 8 write buffers to drain, which takes DRAIN cycles: the longer, the longer by as much.
@ proves: 0x08 clocks in which a store waits for a write buffer count
@ proves: 0x09 each wait counts once, however long it is
@ set: write_buffer.entries = 8
@ let: STORES = 20
@ vary: DRAIN write_buffer.drain_cycles = 100, 150, 300
@ expect: DCACHE_MISS = STORES
@ expect: DCACHE_BUFFER_STALL = STORES - 8
@ expect: DCACHE_BUFFER_STALL_CYCLES > (STORES - 8) * 80
@ expect-change: DCACHE_BUFFER_STALL_CYCLES = (STORES - 8) * DRAIN
@ expect-change: DATA_STALL_CYCLES = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r8, #STORES
loop:   str     r0, [r4], #16
        repeat  r8
        finish
        .bss
        .space  512
