@ Eight bytes one by one: the first takes a slot, seven join it, and then it leaves.
@ proves: 0x50 a store to a doubleword that waits in the store buffer joins it
@ proves: 0x04 merged stores are accesses too
@ build: a32 t32
@ vary: N = 10, 50, 200
@ expect-change: STORE_BUFFER_MERGE = 7 * N
@ expect-change: L1D_CACHE = 8 * N
@ expect-change: L1D_CACHE_REFILL = N // 4
@ expect-change: STALL_STORE_BUFFER_FULL_CYCLES = 0
@ set: memory.latency_cycles = 1
@ set: linefill.transfer_cycles = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #4 * (N / 4)
        .if     N - 4 * (N / 4)
        add     r8, r8, #N - 4 * (N / 4)
        .endif
loop:   .rept   8
        strb    r0, [r4], #1
        .endr
        repeat  r8
        finish
        zeroed  buffer, 8192, 4096
