// The program "flushes" of the Cortex-A53.
// proves: 0x0010 a branch without a pattern is often predicted wrongly
// proves: 0x00CC it is a conditional one
// vary: N = 1000, 5000
// expect-change: BR_MIS_PRED >= N // 4
// expect-change: BR_MIS_PRED <= N * 4 // 5
// expect-change: BR_COND_MIS_PRED = BR_MIS_PRED
        .include "../cortex_a53/branch/flushes.s"
