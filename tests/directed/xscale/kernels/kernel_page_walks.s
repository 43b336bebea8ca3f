@ 40 pages in turn never stay in 32 TLB entries that are replaced in turn. A walk takes cycles = 4 and
@ two reads of latency_cycles = 80; the load issues in a cycle. The lines stay in the data cache.
@ kernel: page walks: 40 loads, each in a page the TLB has lost
@ machine: ixp425
@ set: memory.latency_cycles = 80
@ set: walk.cycles = 4
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (40 * (1 + 4 + 2 * 80) + 3) * N
@ expect-change: INSTRUCTION = 43 * N
@ expect-change: DTLB_MISS = 40 * N
@ expect-change: DCACHE_MISS = 0
        .include "directed.inc"
_start: number  r10, 4096 + 32
        mov     r8, #N
loop:   buffer_at r4
        .rept   10
        .irp    to, r0, r1, r2, r3
        ldr     \to, [r4], r10
        .endr
        .endr
        repeat  r8
        finish
        zeroed  buffer, 4128*40
