// A loop of four rounds and one of nine that exit each time the outer one comes round: a history of eight outcomes foresees the exit of the
// first alone. The same without the second: what is left is its cost.
// proves: 0x00CC a loop's exit that the history does not show is predicted wrongly
// vary: N = 200, 700
// expect-change: BR_COND_MISPRED >= N
// expect-change: BR_COND_MISPRED <= N + N // 8
        .include "directed.inc"
_start: number  x9, N
loop:   mov     x1, #4
1:      repeat  x1, 1b
        mov     x1, #30
1:      repeat  x1, 1b
        repeat  x9
        finish
