@ A jump through a register to two places by turns: the BTB always holds the other one.
@ proves: 0x10 a wrong target is a flush
@ proves: 0x52 a wrong target is no wrong direction
@ proves: 0x51 a wrong target of a branch that is no return does not count
@ set: branch.history_bits = 0
@ let: N = 40
@ expect: BR_MIS_PRED = N + 2
@ expect: BR_DIRECTION_MIS_PRED = 1
@ expect: BR_RETURN_MIS_PRED = 0
@ expect: BR_IMMED_RETIRED = N
@ expect: PC_WRITE_RETIRED = N + N - 1
        .include "directed.inc"
_start: address r4, even
        address r5, odd
        mov     r8, #N
loop:   mov     r6, r4
        mov     r4, r5
        mov     r5, r6
        bx      r6
even:   nop
odd:    repeat  r8
        finish
