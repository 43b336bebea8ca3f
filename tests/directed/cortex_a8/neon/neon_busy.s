@ Each round hands NEON one VFP instruction, which takes 10 cycles, and goes on with other work for
@ longer than that.
@ proves: 0x5A cycles in which NEON has work while the pipeline goes on
@ set: neon.vfp_cycles = 10
@ let: ROUNDS = 20
@ expect: NEON_INTEGER_BUSY_CYCLES = 10 * ROUNDS
        .include "directed.inc"
_start: mov     r8, #ROUNDS
loop:   vadd.f64 d0, d1, d2
        .rept   40
        nop
        .endr
        repeat  r8
        finish
