@ Stores that miss in straight code, 20 multiplications apart: each has drained before the next.
@ proves: 0x40 a buffer that drains in time is never full, in straight code too
@ set: store_buffer.entries = 2
@ set: store_buffer.drain_cycles = 4
@ set: l2.write_allocate = no
@ set: issue.multiply_latency = 6
@ let: STORES = 12
@ expect: L2_STORE_BUFFERABLE = STORES
@ expect: WRITE_BUFFER_FULL_CYCLES = 0
@ expect: L2_STORE_MERGED = 0
        .include "directed.inc"
_start: address r4, buffer
        .rept   STORES
        str     r0, [r4], #64
        .rept   20
        mul     r0, r0, r0
        .endr
        .endr
        finish
        zeroed  buffer, 64*STORES, 4096
