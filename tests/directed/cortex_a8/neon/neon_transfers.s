@ Each round moves RUN registers from NEON, which has nothing else to do, to the core. The data of a
@ move comes transfer_cycles = 20 after it starts; the instruction behind it would issue the cycle
@ after it and so waits 19. Moves behind each other start a cycle apart and overlap.
@ proves: 0x58 the pipeline waits for what it moves from NEON to a core register
@ proves: 0x58 moves in a row are waited for once
@ let: ROUNDS = 20
@ vary: RUN = 1, 2, 4
@ expect: NEON_MRC_STALL_CYCLES = 19 * ROUNDS
@ expect: NEON_QUEUE_FULL_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #ROUNDS
loop:   .rept   RUN
        vmov    r0, s0
        .endr
        .rept   40
        nop
        .endr
        repeat  r8
        finish
