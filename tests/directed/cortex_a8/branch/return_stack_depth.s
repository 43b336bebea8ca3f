@ A chain of DEPTH calls, made from two places by turns, N times each. The stack has 8 entries: with
@ 9 calls the outermost address is lost, and that return has only the BTB, which holds the other
@ place. Unknown once: 2 outer calls, DEPTH - 1 inner ones, DEPTH returns; and 2 of the loop.
@ proves: 0x10 a return deeper than the return stack is mispredicted
@ proves: 0x51 without an entry on the return stack there is no pop to be wrong
@ set: branch.history_bits = 0
@ set: branch.return_stack = 8
@ let: N = 20
@ vary: DEPTH = 3, 8, 9
@ expect: BR_MIS_PRED = 2 + DEPTH - 1 + DEPTH + 2 + DEPTH // 9 * (2 * N - 1)
@ expect: BR_RETURN_MIS_PRED = 0
@ expect: BR_RETURN_RETIRED = 2 * N * DEPTH
        .include "directed.inc"
_start: mov     r8, #N
loop:   bl      chain
        nop
        bl      chain
        repeat  r8
        finish
chain:  .rept   DEPTH - 1
        push    {r3, lr}
        bl      . + 8                   @ the next of the chain
        pop     {r3, pc}
        .endr
        bx      lr
