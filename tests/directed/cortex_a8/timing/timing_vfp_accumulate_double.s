@ VFP does one thing at a time: 19 cycles each, although none needs another. The integer pipeline
@ issues one of them a cycle, SUBS and BNE beside them, and waits for the full queue.
@ proves: 0x11 a VFP product with accumulator in double precision takes 19 cycles
@ proves: 0x59 the pipeline waits for the queue that a VFP product with accumulator in double precision holds up
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: neon.vfp_double_accumulate_cycles = 19
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * 19 * N
@ expect-change: NEON_QUEUE_FULL_CYCLES = (4 * 19 - 4) * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vnmls.f64 d0, d4, d8
        .endr
        bne     loop
        finish
