// N rounds of a branch whose direction is that of a pseudo-random bit, and of the same without it.
// proves: 0x0010 a branch without a pattern is often predicted wrongly
// proves: 0x0022 every wrong prediction is of an executed branch
// vary: N = 1000, 5000
// expect: BR_MIS_PRED = BR_MIS_PRED_RETIRED
// expect-change: BR_MIS_PRED >= N // 4
// expect-change: BR_MIS_PRED <= N * 3 // 4
// expect-change: BR_RETIRED = 2 * N
        .include "directed.inc"
_start: random_branches
        finish
