// The program "instruction_kinds" of the Neoverse cores.
// proves: 0x0008 each executed instruction counts once
// proves: 0x001B without wrong paths it counts the executed instructions
// proves: 0x0070 loads count, a pair once; stores and arithmetic do not
// proves: 0x0071 stores count; loads and arithmetic do not
// proves: 0x0073 moves, arithmetic, multiplies and divides count; NOP, loads, stores and branches do not
// set: window.entries = 1
// set: branch.wrong_path_cycles = 0
// vary: N = 1, 10, 500
// expect-change: INST_RETIRED = 11 * N
// expect-change: INST_SPEC = 11 * N
// expect-change: LD_SPEC = 2 * N
// expect-change: ST_SPEC = N
// expect-change: DP_SPEC = 6 * N
// expect-change: ASE_SPEC = 0
// expect-change: VFP_SPEC = 0
// expect-change: BR_RETIRED = N
        .include "../neoverse/instructions/instruction_kinds.s"
