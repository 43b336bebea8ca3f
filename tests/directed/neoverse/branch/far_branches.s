// A circle of 128 branches, over and over. 127 of them are 64 bytes apart and share a set of four of
// the predictor's first level, so that each takes 3 cycles; the last has a set of its own and takes 1.
// proves: 0x0011 a taken branch that is predicted right costs what the predictor takes for it
// set: branch.near_entries = 16
// set: branch.far_cycles = 2
// set: branch.ahead_cycles = 4
// let: BRANCHES = 128
// vary: N = 200, 300
// expect-change: CPU_CYCLES = ((BRANCHES - 1) * 3 + 1) * N
// expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: number  x9, N
        b       loop
        .balign 64
loop:   .rept   BRANCHES - 1
        b       . + 64
        .balign 64, 0
        .endr
        subs    x9, x9, #1
        b.ne    loop
        finish
