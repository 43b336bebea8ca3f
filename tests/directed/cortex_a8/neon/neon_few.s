@ As many VFP instructions as the queue takes without a wait; and more than that, but each an integer
@ addition of vectors, which start as fast as they come.
@ proves: 0x59 a queue with room lets everything pass, as does a NEON unit that keeps up
        .set    FEW, 18
        .set    MANY, 200
@ set: neon.vfp_cycles = 10
@ expect: NEON_QUEUE_FULL_CYCLES = 0
        .include "directed.inc"
_start: .rept   FEW
        vadd.f64 d0, d1, d2
        .endr
        .rept   400
        nop
        .endr
        .rept   MANY
        vadd.i32 d0, d1, d2
        .endr
        finish
