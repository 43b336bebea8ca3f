@ BXJ, which the core takes for BX and does not predict: once it fails its condition, once it leads on.
@ proves: 0x11 BXJ takes one cycle when it fails its condition, nine when it passes
@ proves: 0x10 BXJ is not predicted
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (1 + 1 + 9 + 2)
@ expect-change: BR_MIS_PRED = N
@ expect-change: BR_RETURN_RETIRED = 0
        .include "directed.inc"
_start: mov     r8, #N
        adr     r6, next
loop:   cmp     r8, #0
        bxjeq   r6
        bxjne   r6
        nop
next:   repeat  r8
        finish
