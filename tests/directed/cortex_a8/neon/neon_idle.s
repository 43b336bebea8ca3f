@ A program without NEON and VFP instructions.
@ proves: 0x5A the integer pipeline alone does not count
@ proves: 0x58 nothing moved from NEON, nothing to wait for
@ proves: 0x59 queues that nothing enters are not full
@ expect: NEON_INTEGER_BUSY_CYCLES = 0
@ expect: NEON_MRC_STALL_CYCLES = 0
@ expect: NEON_QUEUE_FULL_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #100
loop:   mul     r0, r1, r2
        repeat  r8
        finish
