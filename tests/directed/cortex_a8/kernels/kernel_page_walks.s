@ 40 pages in turn never stay in 32 TLB entries that are replaced in turn: each load needs a walk of
@ 24 cycles, whose descriptors level 2 has. The lines lie in sets of their own and stay in the data
@ cache. Each load's pointer comes from the load before, an ALU result and a stage early: 2 cycles
@ from one to the next, after the cycle of the MOV and the counter; the branch issues with the last:
@ 1 + 39 * 2 + 1 cycles.
@ kernel: page walks: 40 loads, each in a page the TLB has lost
@ set: branch.history_bits = 0
@ set: dtlb.entries = 32
@ set: walk.cycles = 24
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 39 * 2 + 1 + 40 * 24) * N
@ expect-change: INST_RETIRED = 43 * N
@ expect-change: L1D_TLB_REFILL = 40 * N
@ expect-change: L1D_CACHE_REFILL = 0
        .include "directed.inc"
_start: address r9, buffer
        movw    r10, #4096 + 64         @ another set for each
        mov     r8, #N
loop:   mov     r4, r9
        subs    r8, r8, #1
        .rept   40
        ldr     r0, [r4], r10
        .endr
        bne     loop
        finish
        zeroed  buffer, 4160*40, 4096
