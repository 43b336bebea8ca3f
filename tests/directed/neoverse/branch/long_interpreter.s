// An interpreter: one branch jumps to one of two places, to the second with the last of 30
// instructions, and both branch back. The 29 instructions before it have 58 taken branches, more than
// the path of 48: as often as that one comes, another place is foreseen.
// proves: 0x0022 no more than the path of branch.history_branches taken ones predicts an indirect branch
// set: branch.history_branches = 48
// set: branch.indirect_entries = 1024
// let: INSTRUCTIONS = 30
// vary: N = 300, 400, 500
// expect-change: BR_MIS_PRED_RETIRED = N
// expect-change: BR_RETIRED = 2 * INSTRUCTIONS * N
        .include "branch/interpreter.inc"
