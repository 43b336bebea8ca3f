@ 64 KB in turn never stay in 32 KB that keep what was used last. The pipeline waits latency_cycles =
@ 20 for the word, and the next address comes 2 + 2 cycles after its load issued. The rest of the
@ line comes meanwhile. The first turn throws out what the program stored to, the others are alike.
@ kernel: pointer chase, memory: one pointer, of 2048 in 64 KB
@ set: l1d.replacement = lru
@ set: memory.latency_cycles = 20
@ set: issue.load_latency = 2
@ set: issue.address_extra = 2
@ vary: N = 2048, 6144
@ expect-change: CPU_CYCLES = (20 + 2 + 2) * N
@ expect-change: INST_RETIRED = 3 * N
@ expect-change: L1D_CACHE_REFILL = N
        .include "directed.inc"
_start: address r4, nodes
        mov     r5, #0
build:  mov     r6, r5                  @ each points to the next, the last to the first
        add     r5, r5, #32
        bics    r5, r5, #65536
        add     r7, r4, r5
        str     r7, [r4, r6]
        bne     build
        movw    r8, #N
loop:   ldr     r4, [r4]
        repeat  r8
        finish
        zeroed  nodes, 65536, 4096
