@ Without history and loop counter, a branch taken every other time is wrong every time: 7 cycles. A
@ round is two turns. Each has the test, its branch, which waits for it, the counter, with NOP when
@ that is executed, and its branch: 4 cycles.
@ kernel: mispredicted branch: one that is taken every other time, two turns
@ set: branch.history_bits = 0
@ set: branch.loop_iterations = 0
@ set: branch.mispredict_cycles = 7
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = 2 * (4 + 7) * N
@ expect-change: INST_RETIRED = (4 + 5) * N
@ expect-change: BR_MIS_PRED = 2 * N
        .include "directed.inc"
_start: mov     r8, #2 * N
loop:   tst     r8, #1
        beq     1f
        nop
1:      repeat  r8
        finish
