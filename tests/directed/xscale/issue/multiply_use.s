@ N times a product is used at once: it takes one cycle more than the steps of the multiplier.
@ The first time the words of the code come too slowly for that.
@ proves: 0x02 clocks in which an instruction waits for a multiply count
@ let: N = 100
@ vary: STEPS issue.multiply_class = 1, 2, 3
@ expect: DATA_STALL_CYCLES = (N - 1) * STEPS
        .include "directed.inc"
_start: mov     r8, #N
loop:   mul     r0, r8, r8
        add     r1, r0, r0
        repeat  r8
        finish
