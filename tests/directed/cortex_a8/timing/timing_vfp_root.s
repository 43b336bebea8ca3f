@ VFP does one thing at a time: 29 cycles each, although none needs another. The integer pipeline
@ issues one of them a cycle, SUBS and BNE beside them, and waits for the full queue.
@ proves: 0x11 a VFP square root takes 29 cycles
@ proves: 0x59 the pipeline waits for the queue that a VFP square root holds up
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: neon.vfp_root_cycles = 29
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * 29 * N
@ expect-change: NEON_QUEUE_FULL_CYCLES = (4 * 29 - 4) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vsqrt.f32 s0, s4
        .endr
        bne     loop
        finish
