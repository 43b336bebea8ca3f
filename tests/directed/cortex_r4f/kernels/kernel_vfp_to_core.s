@ The move issues with the counter; its word is there after transfer_latency = 3 cycles for the
@ addition, which issues with the branch.
@ kernel: VFP to core: a word moved and added to
@ set: vfp.transfer_latency = 3
@ vary: N = 50, 100, 200
@ expect-change: CPU_CYCLES = (3 + 1) * N
@ expect-change: INST_RETIRED = 4 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   vmov    r0, s0
        subs    r8, r8, #1
        add     r1, r0, #1
        bne     loop
        finish
