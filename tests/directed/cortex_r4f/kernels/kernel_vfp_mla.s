@ A sum is needed a cycle later than a plain operand: 6 cycles of the multiply-accumulate, less 1.
@ kernel: VFP multiply-accumulate: 8 VMLA to one sum
@ set: vfp.accumulate_latency = 6
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = 8 * (6 - 1) * N
@ expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   .rept   8
        vmla.f32 s0, s4, s8
        .endr
        repeat  r8
        finish
