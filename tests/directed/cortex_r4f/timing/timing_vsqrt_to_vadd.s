@ Four times in an iteration: a result, who needs it, and an ISB, beside which nothing issues.
@ proves: 0x11 a single-precision square root takes 17 cycles
@ proves: 0x41 a single-precision square root takes 17 cycles: 16 cycles of stall
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (4 * (17 + 1 + 1) + 2)
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = N * 4 * 16
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: STALL_LSU_BUSY_CYCLES = 0
@ expect-change: STALL_IFETCH_CYCLES = 0
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        vsqrt.f32 s0, s8
        vadd.f32 s4, s0, s12
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 64
