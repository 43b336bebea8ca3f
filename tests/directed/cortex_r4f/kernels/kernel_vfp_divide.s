@ Each quotient takes 17 cycles, and the next division needs it.
@ kernel: VFP divide: 4 divisions, single precision
@ set: vfp.divide_latency = 17
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 4 * 17 * N
@ expect-change: INST_RETIRED = 6 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   4
        vdiv.f32 s0, s0, s1
        .endr
        repeat  r8
        finish
