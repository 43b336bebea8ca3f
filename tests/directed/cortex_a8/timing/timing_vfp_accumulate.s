@ VFP does one thing at a time: 18 cycles each, although none needs another. The integer pipeline
@ issues one of them a cycle, SUBS and BNE beside them, and waits for the full queue.
@ proves: 0x11 a VFP product with accumulator takes 18 cycles
@ proves: 0x59 the pipeline waits for the queue that a VFP product with accumulator holds up
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: neon.vfp_accumulate_cycles = 18
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * 18 * N
@ expect-change: NEON_QUEUE_FULL_CYCLES = (4 * 18 - 4) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vmla.f32 s0, s4, s8
        .endr
        bne     loop
        finish
