@ As pointer chase, level 2, but through 512 KB, of which 256 KB keep nothing: each pointer also
@ waits for memory, minimum_cycles = 25 and latency_cycles = 100. A round is 16 pages of 64 lines.
@ Each page needs a walk of 24 cycles, and once in a round a line of second descriptors has gone
@ from level 2 (read stream, memory, says why).
@ kernel: pointer chase, memory: 1024 pointers in 64 KB, of 512 KB in turn
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
@ expect-change: CPU_CYCLES = (LINES * (2 + 1 + 8 + 125) + PAGES * 24 + 125) * N
@ expect-change: INST_RETIRED = 3 * LINES * N
@ expect-change: L2_CACHE_MISS = (LINES + 1) * N
@ expect-change: L1D_TLB_REFILL = PAGES * N
        .include "directed.inc"
_start: address r4, nodes
        mov     r5, #0
build:  mov     r6, r5                  @ each points to the next, the last to the first
        add     r5, r5, #64
        bics    r5, r5, #524288
        add     r7, r4, r5
        str     r7, [r4, r6]
        bne     build
        mov     r8, #N * LINES
loop:   ldr     r4, [r4]
        repeat  r8
        finish
        zeroed  nodes, 524288, 1048576
