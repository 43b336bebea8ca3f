// The program "predicted" of the Neoverse cores.
// proves: 0x0010 a loop of many rounds is predicted but for its first ones and its end
// proves: 0x0022 a branch that is predicted right flushes nothing
// vary: N = 1000, 5000
// expect-change: BR_MIS_PRED <= 2
// expect-change: BR_MIS_PRED_RETIRED <= 2
// expect-change: BR_RETIRED = N
        .include "../neoverse/branch/predicted.s"
