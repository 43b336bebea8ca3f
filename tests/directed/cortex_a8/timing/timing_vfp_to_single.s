@ VFP does one thing at a time: 7 cycles each, although none needs another. The integer pipeline
@ issues one of them a cycle, SUBS and BNE beside them, and waits for the full queue.
@ proves: 0x11 a VFP conversion to single precision takes 7 cycles
@ proves: 0x59 the pipeline waits for the queue that a VFP conversion to single precision holds up
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: neon.vfp_to_single_cycles = 7
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * 7 * N
@ expect-change: NEON_QUEUE_FULL_CYCLES = (4 * 7 - 4) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vcvt.f32.f64 s0, d2
        .endr
        bne     loop
        finish
