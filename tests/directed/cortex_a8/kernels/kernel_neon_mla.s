@ A sum can be added to multiply_latency = 6 cycles after the multiplication that made it started.
@ The 4 sums start in 4 cycles and wait 2: 8 multiplications take 12 cycles. The integer pipeline
@ needs fewer and waits for the full queue.
@ kernel: NEON multiply-accumulate: 8 VMLA to four sums in turn
@ set: branch.history_bits = 0
@ set: neon.multiply_latency = 6
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = 2 * 6 * N
@ expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   2
        vmla.i16 q0, q8, q9
        vmla.i16 q1, q8, q9
        vmla.i16 q2, q8, q9
        vmla.i16 q3, q8, q9
        .endr
        bne     loop
        finish
