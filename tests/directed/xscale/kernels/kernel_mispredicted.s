@ A branch taken every other time goes to and fro between the two weak histories, wrong each time, and
@ that costs 4 cycles. A round is two turns, of 4 instructions and of 5.
@ kernel: mispredicted branch: one that is taken every other time, two turns
@ machine: ixp425
@ set: branch.mispredict_cycles = 4
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (4 + 4 + 5 + 4) * N
@ expect-change: INSTRUCTION = (4 + 5) * N
@ expect-change: BRANCH_MISS = 2 * N
        .include "directed.inc"
_start: mov     r8, #2 * N
loop:   tst     r8, #1
        beq     1f
        nop
1:      repeat  r8
        finish
