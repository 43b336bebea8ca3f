@ proves: 0x5E nothing joins a double-precision operation
@ proves: 0x5A nothing joins a double-precision operation
@ proves: 0x5B nothing joins a double-precision operation
@ proves: 0x5C nothing joins a double-precision operation
@ build: a32 t32
@ set: vfp.convert_latency = 1
@ vary: N = 50, 100, 200
@ expect-change: DUAL_ISSUE_PAIR = 0
@ expect-change: DUAL_ISSUE_A = 0
@ expect-change: DUAL_ISSUE_B = 0
@ expect-change: DUAL_ISSUE_OTHER = 0
@ expect-change: CPU_CYCLES = N * (4 * 3 + 2)
        .include "directed.inc"
_start: address r5, buffer
        mov     r8, #N
loop:   .rept   4
        vcvt.f64.f32 d0, s8
        add     r2, r3, r4
        isb
        .endr
        repeat  r8
        finish
        zeroed  buffer, 64, 4096
