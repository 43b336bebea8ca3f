// N rounds of a branch on a pseudo-random bit, on a machine of five slots.
//
// A misprediction costs 11 cycles on a V1 and 10 on an N2. The wrong path is dispatched in 7 and 6 of them, nothing in the
// other four, so level 1 of top-down says bad speculation, not front end: at most a quarter of all slots are lost to
// anything but those four cycles. At least a quarter of the random branches are predicted wrongly.
// proves: 0x003F after a misprediction four cycles dispatch nothing
// proves: 0x003E what a misprediction costs is not all the front end's
// set: dispatch.width = 5
// vary: N = 1000, 5000
// expect-change: BR_MIS_PRED >= N // 4
// expect-change: STALL_SLOT >= 4 * 5 * BR_MIS_PRED
// expect-change: STALL_SLOT - 4 * 5 * BR_MIS_PRED <= 5 * CPU_CYCLES // 4
// expect-change: STALL_SLOT_FRONTEND <= 4 * 5 * BR_MIS_PRED + 5 * CPU_CYCLES // 4
// expect-change: OP_SPEC - OP_RETIRED >= 5 * 5 * BR_MIS_PRED
        .include "directed.inc"
_start: random_branches
        finish
