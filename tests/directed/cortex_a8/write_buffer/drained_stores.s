@ Two stores to the same line, 20 multiplications apart in straight code: the first has drained, the
@ second is a transaction of its own.
@ proves: 0x41 a store to a line that has left the write buffer is not merged
@ set: store_buffer.entries = 8
@ set: store_buffer.drain_cycles = 4
@ set: issue.multiply_latency = 6
@ let: PAIRS = 12
@ expect: L2_STORE_BUFFERABLE = 2 * PAIRS
@ expect: L2_STORE_MERGED = 0
        .include "directed.inc"
_start: address r4, buffer
        .rept   PAIRS
        str     r0, [r4]
        .rept   20
        mul     r0, r0, r0
        .endr
        str     r0, [r4, #4]
        add     r4, r4, #64
        .endr
        finish
        zeroed  buffer, 64*PAIRS, 4096
