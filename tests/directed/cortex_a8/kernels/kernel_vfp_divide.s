@ VFP has one division at a time, vfp_divide_cycles = 33 each, although none needs another. The integer
@ pipeline waits for the full queue.
@ kernel: VFP divide: 4 divisions, single precision
@ set: branch.history_bits = 0
@ set: neon.vfp_divide_cycles = 33
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 4 * 33 * N
@ expect-change: INST_RETIRED = 6 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   4
        vdiv.f32 s0, s4, s8
        .endr
        bne     loop
        finish
