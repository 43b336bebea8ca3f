@ Between each two stores that miss lies a chain of 8 multiplications, longer than an entry drains.
@ proves: 0x40 a buffer that drains in time is never full
@ proves: 0x47 a store that misses is not replayed
@ set: store_buffer.entries = 2
@ set: store_buffer.drain_cycles = 4
@ set: l2.write_allocate = no
@ set: issue.multiply_latency = 6
@ let: STORES = 50
@ expect: L2_STORE_BUFFERABLE = STORES
@ expect: WRITE_BUFFER_FULL_CYCLES = 0
@ expect: MEMORY_REPLAY = L1D_TLB_REFILL
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #STORES
loop:   str     r0, [r4], #64
        .rept   8
        mul     r0, r0, r0
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64*STORES, 4096
