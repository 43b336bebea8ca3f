// A circle of 128 branches 64 bytes apart, over and over. The predictor's first level has 16, so each
// takes the second level's time for a branch that is alone in its 32 bytes: 1 + 2 cycles.
// proves: 0x0011 a taken branch that is predicted right costs what the predictor takes for it
// set: branch.near_entries = 16
// set: branch.middle_entries = 0
// set: branch.far_cycles = 5
// set: branch.alone_cycles = 2
// set: branch.pairs = no
// set: branch.ahead_cycles = 4
// let: BRANCHES = 128
// vary: N = 200, 300
// expect-change: CPU_CYCLES = BRANCHES * 3 * N
// expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: number  x9, N
        b       loop
        .balign 64
loop:   .rept   BRANCHES - 1
        b       . + 64
        .balign 64, 0
        .endr
        repeat  x9
        finish
