@ A BX that does return, and one by another register whose call left its address on the stack.
@ proves: 0x0E BX LR counts
@ proves: 0x10 a return that the return stack knows is no flush
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: BR_RETURN_RETIRED = N
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      leaf
        repeat  r8
        finish
leaf:   bx      lr
