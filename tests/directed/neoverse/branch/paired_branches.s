// 64 direct branches and 64 conditional ones, 64 bytes apart, in a circle; a prediction takes 2
// cycles. Those without a condition come in pairs, one cycle each; a condition begins a prediction.
// proves: 0x0011 two taken branches are predicted together where the second has no condition
// set: branch.near_entries = 16
// set: branch.middle_entries = 0
// set: branch.far_cycles = 1
// set: branch.alone_cycles = 1
// set: branch.pairs = yes
// set: branch.ahead_cycles = 4
// let: EACH = 64
// vary: N = 200, 300
// expect-change: CPU_CYCLES = (EACH + EACH * 2) * N
// expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: number  x9, N
        b       loop
        .balign 64
loop:   .rept   EACH
        b       . + 64
        .balign 64, 0
        .endr
        .rept   EACH - 1
        cbz     xzr, . + 64
        .balign 64, 0
        .endr
        repeat  x9
        finish
