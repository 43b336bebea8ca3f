@ VFP does one thing at a time: 9 cycles each, although none needs another. The integer pipeline
@ issues one of them a cycle, SUBS and BNE beside them, and waits for the full queue.
@ proves: 0x11 a VFP addition takes 9 cycles
@ proves: 0x59 the pipeline waits for the queue that a VFP addition holds up
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: neon.vfp_cycles = 9
@ vary: N = 9, 60
@ expect-change: CPU_CYCLES = 4 * 9 * N
@ expect-change: NEON_QUEUE_FULL_CYCLES = (4 * 9 - 4) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vadd.f32 s0, s4, s8
        .endr
        bne     loop
        finish
