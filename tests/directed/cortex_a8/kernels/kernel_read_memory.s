@ As read stream, level 2, but of 512 KB, of which 256 KB keep nothing: each line also waits for
@ memory, minimum_cycles = 25 and latency_cycles = 100. A round is 16 pages of 64 lines. Each page
@ needs a walk of 24 cycles, because 32 TLB entries in turn do not hold 128 pages. It reads two
@ descriptors in level 2: the first is that of the one section there is and stays; a line holds
@ the second ones of 16 pages, and is gone a turn later, so once in a round memory is waited for.
@ kernel: read stream, memory: one word of each line of 64 KB, of 512 KB in turn
@ set: branch.history_bits = 0
@ set: l1d.size_kb = 32
@ set: l2.size_kb = 256
@ set: l2.hit_cycles = 8
@ set: memory.minimum_cycles = 25
@ set: memory.latency_cycles = 100
@ set: walk.cycles = 24
@ let: LINES = 1024
@ let: PAGES = 16
@ vary: N = 8, 16, 32
@ expect-change: CPU_CYCLES = (LINES * (3 + 8 + 125) + PAGES * 24 + 125) * N
@ expect-change: INST_RETIRED = 5 * LINES * N
@ expect-change: L2_CACHE_MISS = (LINES + 1) * N
@ expect-change: L1D_TLB_REFILL = PAGES * N
        .include "directed.inc"
_start: address r4, buffer
        mov     r5, #0
        mov     r8, #N * LINES
loop:   ldr     r0, [r4, r5]
        add     r5, r5, #64
        subs    r8, r8, #1
        bic     r5, r5, #524288
        bne     loop
        finish
        zeroed  buffer, 524288, 1048576
