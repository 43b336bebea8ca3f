@ A multiplication of 8 and 16 bits takes a quadword in 2 cycles, half by half, and its sum is handed
@ on to the next of the same kind: neither 4 sums nor one have to wait. 8 multiplications take 16
@ cycles. The integer pipeline needs fewer and waits for the full queue.
@ kernel: NEON multiply-accumulate: 8 VMLA to two sums
@ set: branch.history_bits = 0
@ set: neon.multiply_latency = 6
@ vary: N = 20, 100
@ expect-change: CPU_CYCLES = 8 * 2 * N
@ expect-change: INST_RETIRED = 10 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   2
        vmla.i16 q0, q8, q9
        vmla.i16 q1, q8, q9
        vmla.i16 q1, q8, q9
        vmla.i16 q1, q8, q9
        .endr
        bne     loop
        finish
