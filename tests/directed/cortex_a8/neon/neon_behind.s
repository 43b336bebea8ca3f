@ A move from NEON issues with the VFP instruction before it, which takes 10 cycles and beside which
@ nothing starts: the move starts 10 cycles after both entered the queue, and its data comes 20 later.
@ The next instruction would issue the cycle after they entered.
@ proves: 0x58 the move waits its turn in NEON, and the pipeline with it
@ set: neon.vfp_cycles = 10
@ let: ROUNDS = 20
@ expect: NEON_MRC_STALL_CYCLES = (10 + 20 - 1) * ROUNDS
        .include "directed.inc"
_start: mov     r8, #ROUNDS
        nop
loop:   vadd.f64 d0, d1, d2
        vmov    r0, s0
        .rept   40
        nop
        .endr
        repeat  r8
        finish
