// A loop of 60 turns and one of 80 within another: 60 taken branches back, the path has what came
// before the first, so its exit is foreseen once learned. Of the second the path of 64 has nothing but
// its own branches: each of its exits is mispredicted.
// proves: 0x0022 the path has branch.history_branches taken branches
// set: branch.history_branches = 64
// vary: N = 300, 400, 500
// expect-change: BR_MIS_PRED_RETIRED = N
// expect-change: BR_RETIRED = (60 + 80 + 1) * N
        .include "directed.inc"
_start: number  x9, N
again:  mov     x1, #60
first:  repeat  x1, first
        mov     x1, #80
second: repeat  x1, second
        repeat  x9, again
        finish
