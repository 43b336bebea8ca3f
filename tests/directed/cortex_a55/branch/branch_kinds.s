// The program "branch_kinds" of the Neoverse cores.
// proves: 0x0012 each branch can be predicted, whatever it is
// proves: 0x0021 branches count, taken or not
// proves: 0x0076 taken branches count, others do not
// proves: 0x0078 branches to an address in the instruction count, taken or not
// proves: 0x0079 returns count, a jump by another register does not
// proves: 0x007A branches by a register count, returns too; others do not
// proves: 0x000E executed returns are the same
// proves: 0x00CE the return stack predicts each
// vary: N = 2, 10, 500
// expect-change: BR_PRED = 7 * N
// expect-change: BR_RETIRED = 7 * N
// expect-change: PC_WRITE_SPEC = 6 * N
// expect-change: BR_IMMED_SPEC = 3 * N
// expect-change: BR_RETURN_SPEC = 2 * N
// expect-change: BR_RETURN_RETIRED = 2 * N
// expect-change: BR_RETURN_ADDR_PRED = 2 * N
// expect-change: BR_INDIRECT_SPEC = 4 * N
// expect-change: EXC_TAKEN = 0
        .include "../neoverse/branch/branch_kinds.s"
