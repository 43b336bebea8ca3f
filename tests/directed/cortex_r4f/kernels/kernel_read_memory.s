@ 64 KB in turn never stay in 32 KB that keep what was used last. Each load stops the pipeline for
@ latency_cycles = 20; it issues with the ADD, BIC and the counter take a cycle each, the branch, which
@ waits for the counter, a fourth. The offset that BIC makes in cycle 1 is an address in cycle 4.
@ kernel: read stream, memory: one word of each line of 64 KB
@ set: l1d.replacement = lru
@ set: memory.latency_cycles = 20
@ vary: N = 2048, 6144
@ expect-change: CPU_CYCLES = (4 + 20) * N
@ expect-change: INST_RETIRED = 5 * N
@ expect-change: L1D_CACHE_REFILL = N
        .include "directed.inc"
_start: address r4, buffer
        mov     r5, #0
        movw    r8, #N
loop:   ldr     r0, [r4, r5]
        add     r5, r5, #32
        bic     r5, r5, #65536
        repeat  r8
        finish
        zeroed  buffer, 65536, 4096
