@ Double precision is not pipelined: the second operation waits for the first's result, the next one
@ for the unit. The last of an iteration hides the loop's own instructions.
@ proves: 0x11 double-precision square roots take 97 cycles each
@ proves: 0x41 an operation waits for the double-precision result before it, 96 cycles
@ proves: 0x5D double-precision arithmetic counts
@ build: a32 t32
@ vary: N = 20, 40, 80
@ expect-change: CPU_CYCLES = N * 4 * 2 * 97
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = N * 4 * 96
@ expect-change: DP_FLOAT_INST_EXECUTED = 8 * N
@ expect-change: DUAL_ISSUE_PAIR = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   4
        vsqrt.f64 d0, d4
        vsqrt.f64 d2, d0
        .endr
        repeat  r8
        finish
