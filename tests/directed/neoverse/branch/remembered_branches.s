// A circle of 24 branches 64 bytes apart. The first level has the latest four, the next all: 1 + 1
// cycles each.
// proves: 0x0011 the predictor's middle level has a time of its own
// set: branch.near_entries = 4
// set: branch.middle_entries = 256
// set: branch.middle_cycles = 1
// set: branch.far_cycles = 5
// set: branch.alone_cycles = 5
// set: branch.pairs = no
// set: branch.ahead_cycles = 4
// let: BRANCHES = 24
// vary: N = 200, 300
// expect-change: CPU_CYCLES = BRANCHES * 2 * N
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
