@ A branch taken every other time; a two-bit counter that has settled between is wrong every time. A
@ round is two turns. Taken: the test and the branch, 1 cycle, a flush of 13, the counter and its
@ branch, 1 cycle. Not taken: 1 cycle and the flush, then NOP, counter and branch, 2 cycles.
@ kernel: mispredicted branch: one that is taken every other time, two turns
@ set: branch.history_bits = 0
@ set: branch.taken_bubble_cycles = 0
@ set: branch.mispredict_cycles = 13
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (1 + 13 + 1 + 1 + 13 + 2) * N
@ expect-change: INST_RETIRED = (4 + 5) * N
@ expect-change: BR_MIS_PRED = 2 * N
        .include "directed.inc"
_start: mov     r8, #2 * N
loop:   tst     r8, #1
        beq     1f
        nop
1:      repeat  r8
        finish
