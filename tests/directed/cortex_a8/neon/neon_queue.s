@ COUNT VFP instructions in a row, none of which waits for another: one reaches the queue each cycle, one
@ starts every vfp_cycles = 10. With 16 entries the one numbered i (from 0) enters when the one
@ numbered i - 16 has started, 10 * (i - 16) after the first: from number 18 on, which waits 2
@ cycles, the pipeline is behind, and each further one waits 9.
@ proves: 0x59 with the instruction queue full the pipeline waits until its oldest instruction starts
@ proves: 0x5A what NEON has to do while the pipeline waits for it does not count
@ set: neon.vfp_cycles = 10
@ let: FIRST = 19
@ vary: COUNT = 19, 20, 32, 100
@ expect: NEON_QUEUE_FULL_CYCLES = 2 + 9 * (COUNT - FIRST)
@ expect: NEON_MRC_STALL_CYCLES = 0
@ expect-change: CPU_CYCLES - 133 * L1I_CACHE_REFILL = 10 * COUNT
@ expect-change: NEON_INTEGER_BUSY_CYCLES = COUNT
        .include "directed.inc"
_start: b       start
        .balign 64
start:  .rept   COUNT
        vadd.f64 d0, d1, d2
        .endr
        .rept   400
        nop
        .endr
        finish
