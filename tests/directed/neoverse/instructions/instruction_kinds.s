// N rounds of 2 loads, a store, 4 of data processing, a multiply, a divide, a NOP and a branch.
// A window of one entry has no room for a wrong path until the branch is complete.
// proves: 0x0008 each executed instruction counts once
// proves: 0x001B without wrong paths it counts the executed instructions
// proves: 0x003A an instruction that is no atomic is one operation
// proves: 0x003B without wrong paths operations dispatched are those of executed instructions
// proves: 0x0070 loads count, a pair once; stores and arithmetic do not
// proves: 0x0071 stores count; loads and arithmetic do not
// proves: 0x0073 moves, arithmetic, multiplies and divides count; NOP, loads, stores and branches do not
// set: window.entries = 1
// set: branch.wrong_path_cycles = 0
// vary: N = 1, 10, 500
// expect-change: INST_RETIRED = 11 * N
// expect-change: INST_SPEC = 11 * N
// expect-change: OP_RETIRED = 11 * N
// expect-change: OP_SPEC = 11 * N
// expect-change: LD_SPEC = 2 * N
// expect-change: ST_SPEC = N
// expect-change: DP_SPEC = 6 * N
// expect-change: ASE_SPEC = 0
// expect-change: VFP_SPEC = 0
// expect-change: BR_RETIRED = N
        .include "directed.inc"
_start: number  x9, N
        address x1, buffer
loop:   mov     x2, x9
        add     x3, x9, x9, lsl #3
        mul     x4, x2, x3
        udiv    x5, x3, x9
        str     x4, [x1]
        ldr     x6, [x1]
        ldp     x6, x7, [x1]
        nop
        csel    x7, x4, x6, eq
        repeat  x9
        finish
        zeroed  buffer, 64, 64
