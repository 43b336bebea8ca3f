@ Four times in an iteration: a result, who needs it, and an ISB, beside which nothing issues.
@ proves: 0x11 a conversion from double precision takes eight cycles
@ proves: 0x41 a conversion from double precision takes eight cycles: 7 cycles of stall
@ build: a32 t32
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = N * (4 * (9 + 1) + 2)
@ expect-change: STALL_DATA_DEPENDENCY_CYCLES = N * 4 * 7
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: STALL_LSU_BUSY_CYCLES = 0
@ expect-change: STALL_IFETCH_CYCLES = 0
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        vcvt.f32.f64 s0, d4
        vadd.f32 s4, s0, s12
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 64
