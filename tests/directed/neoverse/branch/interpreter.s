// An interpreter: one branch jumps to one of two places, to the second with the last of 24
// instructions, and both branch back. When that one comes, the path of 48 taken branches has the
// other 23 with two branches each, and the branch back of the last one before them: it is foreseen.
// proves: 0x0022 an indirect branch is predicted by the path of branch.history_branches taken ones
// set: branch.history_branches = 48
// set: branch.indirect_entries = 1024
// let: INSTRUCTIONS = 24
// vary: N = 300, 400, 500
// expect-change: BR_MIS_PRED_RETIRED = 0
// expect-change: BR_RETIRED = 2 * INSTRUCTIONS * N
        .include "branch/interpreter.inc"
