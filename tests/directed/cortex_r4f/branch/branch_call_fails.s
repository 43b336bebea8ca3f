@ proves: 0x11 BLX by a register that fails its condition takes one cycle
@ proves: 0x10 a branch that is not predicted and not taken is no flush
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 4 * N
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r8, #N
        adr     r6, leaf
loop:   cmp     r8, #0
        blxeq   r6
        repeat  r8
        finish
leaf:   bx      lr
