@ proves: 0x11 BLX by a register that passes its condition takes nine cycles
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (1 + 9 + 1 + 2)
@ expect-change: BR_MIS_PRED = N
        .include "directed.inc"
_start: mov     r8, #N
        adr     r6, leaf
loop:   cmp     r8, #0
        blxne   r6
        repeat  r8
        finish
leaf:   bx      lr
