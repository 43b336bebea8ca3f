@ A branch that goes by turns, without history and without the loop counter: its two-bit counter is at
@ its weak states and wrong every time.
@ proves: 0x10 a branch that went the other way is a flush
@ proves: 0x11 B takes eight cycles when it is predicted wrongly
@ build: a32 t32
@ set: branch.history_bits = 0
@ set: branch.loop_iterations = 0
@ vary: N = 50, 100, 200
@ expect-change: BR_MIS_PRED = 2 * N
@ expect-change: STALL_IFETCH_CYCLES = 2 * N * 7
        .include "directed.inc"
_start: mov     r8, #N
loop:   mov     r1, #0
1:      eors    r1, r1, #1              @ taken, then not
        bne     1b
        repeat  r8
        finish
