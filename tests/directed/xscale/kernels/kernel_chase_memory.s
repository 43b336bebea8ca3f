@ 64 KB in turn never stay in 32 KB that are replaced in turn. Each pointer is the first word of its
@ line that comes, latency_cycles = 80 after it is asked for; the 7 beats of the rest, of 4 cycles,
@ end before the next is asked for. 16 pages stay in the TLB.
@ kernel: pointer chase, memory: one pointer, of 2048 in 64 KB
@ machine: ixp425
@ set: memory.latency_cycles = 80
@ set: bus.width_bits = 32
@ set: bus.beat_cycles = 4
@ vary: N = 2048, 6144
@ expect-change: CPU_CYCLES = 80 * N
@ expect-change: INSTRUCTION = 3 * N
@ expect-change: DCACHE_MISS = N
@ expect-change: DTLB_MISS = 0
        .include "directed.inc"
_start: buffer_at r4
        mov     r5, #0
build:  mov     r6, r5                  @ each points to the next, the last to the first
        add     r5, r5, #32
        bics    r5, r5, #65536
        add     r7, r4, r5
        str     r7, [r4, r6]
        bne     build
        number  r8, N
loop:   ldr     r4, [r4]
        repeat  r8
        finish
        zeroed  buffer, 65536
