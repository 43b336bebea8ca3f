@ Two lines are stored to by turns. The first store's entry starts to drain at once and takes long;
@ all stores to the second line find its entry waiting.
@ proves: 0x41 a store to a line whose write buffer entry waits is merged
@ proves: 0x42 a merged store is a store transaction
@ proves: 0x43 a merged store is no access to level 2
@ set: store_buffer.entries = 8
@ set: store_buffer.drain_cycles = 1000
@ vary: WORDS = 1, 4, 16
@ expect: L2_STORE_BUFFERABLE = 1 + WORDS
@ expect: L2_STORE_MERGED = WORDS - 1
@ expect: WRITE_BUFFER_FULL_CYCLES = 0
@ expect: L2_ACCESS = 2 + 2 + L1I_CACHE_REFILL + 2 * L1I_TLB_REFILL
@ expect: L1D_CACHE = 1 + WORDS
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #WORDS
        str     r0, [r4], #64
loop:   str     r0, [r4], #4
        repeat  r8
        finish
        zeroed  buffer, 128, 4096
