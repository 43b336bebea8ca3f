@ STORES stores to lines of their own meet a buffer of 2 entries. From the third on each waits for
@ the oldest entry to drain, which takes DRAIN cycles: the longer, the longer by as much.
@ proves: 0x40 cycles in which a store waits for a full write buffer count
@ proves: 0x47 a store that finds the write buffer full is replayed
@ proves: 0x11 what a full buffer costs, the clock shows
@ set: store_buffer.entries = 2
@ set: l2.size_kb = 256
@ let: STORES = 20
@ vary: DRAIN store_buffer.drain_cycles = 400, 700, 1000
@ expect: L2_STORE_BUFFERABLE = STORES
@ expect: L2_STORE_MERGED = 0
@ expect: MEMORY_REPLAY = STORES - 2 + 1
@ expect: WRITE_BUFFER_FULL_CYCLES > (STORES - 2) * 300
@ expect-change: WRITE_BUFFER_FULL_CYCLES = (STORES - 2) * DRAIN
@ expect-change: CPU_CYCLES = (STORES - 2) * DRAIN
@ expect-change: ISSUE_EMPTY_CYCLES = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #STORES
loop:   str     r0, [r4], #64
        repeat  r8
        finish
        zeroed  buffer, 64*STORES, 4096
