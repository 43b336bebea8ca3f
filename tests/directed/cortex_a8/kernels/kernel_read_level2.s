@ The load and the ADD issue together, the counter and the BIC a cycle later, the branch in a third;
@ the next load needs the BIC's result in the cycle behind it plus the early stage, which is then:
@ 3 cycles. 64 KB in turn never stay in 32 KB that keep what was used last, so each load waits
@ hit_cycles = 8 for level 2, which has them all.
@ kernel: read stream, level 2: one word of each line of 64 KB
@ set: branch.history_bits = 0
@ set: l1d.size_kb = 32
@ set: l2.size_kb = 256
@ set: l2.hit_cycles = 8
@ vary: N = 1024, 4096
@ expect-change: CPU_CYCLES = (3 + 8) * N
@ expect-change: INST_RETIRED = 5 * N
@ expect-change: L1D_CACHE_REFILL = N
@ expect-change: L2_CACHE_MISS = 0
        .include "directed.inc"
_start: address r4, buffer
        mov     r5, #0
        movw    r8, #N
loop:   ldr     r0, [r4, r5]
        add     r5, r5, #64
        subs    r8, r8, #1
        bic     r5, r5, #65536
        bne     loop
        finish
        zeroed  buffer, 65536, 4096
