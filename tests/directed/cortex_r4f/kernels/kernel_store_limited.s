@ Memory that is not cacheable takes bus_cycles = 6 for each line's store. Stores issue faster, so the
@ store buffer and the queue before it are full.
@ kernel: store stream, memory: 4 stores to lines of their own, not cacheable
@ set: regions.noncacheable_kb = 4096
@ set: regions.noncacheable_size_kb = 64
@ set: store_buffer.bus_cycles = 6
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 4 * 6 * N
@ expect-change: INST_RETIRED = 8 * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r8, #N
loop:   str     r0, [r4]
        str     r0, [r4, #32]
        str     r0, [r4, #64]
        str     r0, [r4, #96]
        add     r4, r4, #128
        bic     r4, r4, #4096
        repeat  r8
        finish
        zeroed  buffer, 4096, 8192
