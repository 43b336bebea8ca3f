@ Each store misses level 1, takes an entry of the write buffer and drains into level 2, which has
@ the line, in drain_cycles = 4. Stores issue faster, so the buffer is never empty: on average a
@ store takes the 4 cycles that an entry takes to drain, however the waits for room fall.
@ kernel: store stream, level 2: 8 stores to lines of their own
@ set: branch.history_bits = 0
@ set: l2.size_kb = 256
@ set: l2.write_allocate = yes
@ set: store_buffer.entries = 8
@ set: store_buffer.drain_cycles = 4
@ vary: N = 256, 512
@ expect-change: CPU_CYCLES = 8 * 4 * N
@ expect-change: INST_RETIRED = 12 * N
@ expect-change: L2_CACHE_MISS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   subs    r8, r8, #1
        .irp    offset, 0, 64, 128, 192, 256, 320, 384, 448
        str     r0, [r4, #\offset]
        .endr
        add     r4, r4, #512
        bic     r4, r4, #65536
        bne     loop
        finish
        zeroed  buffer, 65536, 131072
