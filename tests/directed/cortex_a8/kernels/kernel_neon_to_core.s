@ The counter and the move issue together. The move's data comes transfer_cycles = 20 later, when the
@ addition and the branch issue: 20 + 1 cycles.
@ kernel: NEON to core: a word moved and added to
@ set: branch.history_bits = 0
@ set: neon.transfer_cycles = 20
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (20 + 1) * N
@ expect-change: INST_RETIRED = 4 * N
@ expect-change: NEON_MRC_STALL_CYCLES = 19 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        vmov    r0, s0
        add     r1, r0, #1
        bne     loop
        finish
