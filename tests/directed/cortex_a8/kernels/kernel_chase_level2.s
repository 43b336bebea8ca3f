@ A pointer is an address 2 + 1 cycles after its load, and while the next load waits for it the
@ counter and the branch issue: 3 cycles. 64 KB in turn never stay in 32 KB that keep what was used
@ last, so each load waits hit_cycles = 8 for level 2, which has them all.
@ kernel: pointer chase, level 2: one pointer, of 1024 in 64 KB
@ set: branch.history_bits = 0
@ set: l1d.size_kb = 32
@ set: l2.size_kb = 256
@ set: l2.hit_cycles = 8
@ set: issue.load_latency = 2
@ set: issue.early_extra = 1
@ vary: N = 1024, 4096
@ expect-change: CPU_CYCLES = (2 + 1 + 8) * N
@ expect-change: INST_RETIRED = 3 * N
@ expect-change: L1D_CACHE_REFILL = N
@ expect-change: L2_CACHE_MISS = 0
        .include "directed.inc"
_start: address r4, nodes
        mov     r5, #0
build:  mov     r6, r5                  @ each points to the next, the last to the first
        add     r5, r5, #64
        bics    r5, r5, #65536
        add     r7, r4, r5
        str     r7, [r4, r6]
        bne     build
        movw    r8, #N
loop:   ldr     r4, [r4]
        repeat  r8
        finish
        zeroed  nodes, 65536, 4096
