// N rounds of a branch whose direction is that of a pseudo-random bit, and of the loop's own.
// proves: 0x0010 a branch without a pattern is often predicted wrongly
// proves: 0x00CC it is a conditional one
// proves: 0x00CA none is indirect
// proves: 0x00E0 nothing is there to issue after a misprediction
// vary: N = 1000, 5000
// expect-change: BR_MIS_PRED >= N // 4
// expect-change: BR_MIS_PRED <= N * 4 // 5
// expect-change: BR_COND_MISPRED = BR_MIS_PRED
// expect-change: BR_INDIRECT_MISPRED = 0
// expect-change: OTHER_IQ_DEP_STALL >= 6 * BR_MIS_PRED
        .include "directed.inc"
_start: random_branches
        finish
