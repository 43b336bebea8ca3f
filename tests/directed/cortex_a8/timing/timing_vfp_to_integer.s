@ VFP does one thing at a time: 8 cycles each, although none needs another. The integer pipeline
@ issues one of them a cycle, SUBS and BNE beside them, and waits for the full queue.
@ proves: 0x11 a VFP conversion to an integer takes 8 cycles
@ proves: 0x59 the pipeline waits for the queue that a VFP conversion to an integer holds up
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: neon.vfp_to_integer_cycles = 8
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * 8 * N
@ expect-change: NEON_QUEUE_FULL_CYCLES = (4 * 8 - 4) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vcvt.s32.f64 s0, d2
        .endr
        bne     loop
        finish
