// N rounds of a branch that is always taken: it is predicted once it is known.
// proves: 0x0010 a loop of many rounds is predicted but for its first ones and its end
// proves: 0x0022 a branch that is predicted right flushes nothing
// vary: N = 1000, 5000
// expect-change: BR_MIS_PRED <= 2
// expect-change: BR_MIS_PRED_RETIRED <= 2
// expect-change: BR_RETIRED = N
        .include "directed.inc"
_start: number  x9, N
loop:   nop
        repeat  x9
        finish
