// A circle of 128 branches, four in each 32 bytes. Three of the four take 1 + 2 cycles; behind the
// last of each 32 bytes there is none to choose from, so it takes 1 + 1.
// proves: 0x0011 the predictor takes longer where it has several branches to choose from
// set: branch.near_entries = 16
// set: branch.middle_entries = 0
// set: branch.far_cycles = 2
// set: branch.alone_cycles = 1
// set: branch.pairs = no
// set: branch.ahead_cycles = 4
// let: BRANCHES = 128
// vary: N = 200, 300
// expect-change: CPU_CYCLES = BRANCHES // 4 * (3 * 3 + 2) * N
// expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: number  x9, N
        b       loop
        .balign 64
loop:   .rept   BRANCHES - 1
        b       . + 8
        nop
        .endr
        repeat  x9
        finish
