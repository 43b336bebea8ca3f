@ A loop of nothing but its counter: a branch that is predicted takes one cycle.
@ proves: 0x11 B takes one cycle when it is predicted rightly
@ proves: 0x10 a branch that the history predicts is no flush
@ proves: 0x40 a branch that is predicted rightly leaves no gap
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 2 * N
@ expect-change: BR_MIS_PRED = 0
@ expect-change: STALL_IFETCH_CYCLES = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   repeat  r8
        finish
