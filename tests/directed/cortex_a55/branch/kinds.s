// The program "kinds" of the Cortex-A53.
// proves: 0x00C9 conditional branches count, taken or not
// proves: 0x000D branches to an immediate address count
// proves: 0x000C taken branches count
// proves: 0x007A branches to an address in a register count, returns among them
// proves: 0x0012 all are predictable
// vary: N = 100, 600
// expect-change: BR_COND_PRED = 3 * N
// expect-change: BR_IMMED_RETIRED = 4 * N
// expect-change: PC_WRITE_RETIRED = 5 * N
// expect-change: BR_INDIRECT_SPEC = 2 * N
// expect-change: BR_PRED = 6 * N
// expect-change: BR_MIS_PRED = 0
        .include "../cortex_a53/branch/kinds.s"
