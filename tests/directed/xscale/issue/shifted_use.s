@ N times a sum is shifted by the next instruction, which needs it a cycle earlier than others do.
@ The first time the words of the code come too slowly for that.
@ proves: 0x02 clocks in which a shift waits for its operand count
@ vary: N = 10, 100
@ expect: DATA_STALL_CYCLES = N - 1
        .include "directed.inc"
_start: mov     r8, #N
loop:   add     r0, r8, r8
        add     r1, r8, r0, lsl #2
        repeat  r8
        finish
