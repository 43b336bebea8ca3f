@ 16 additions that each need the one before, alu_latency = 1: 16 cycles. The counter pairs with the
@ first and the branch with the last.
@ kernel: dependent adds: 16 additions to one register
@ set: branch.history_bits = 0
@ set: issue.alu_latency = 1
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 16 * N
@ expect-change: INST_RETIRED = 18 * N
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        .rept   16
        add     r0, r0, #1
        .endr
        bne     loop
        finish
