@ A branch that is taken every other time. A two-bit counter without history, once the branch is
@ known, is wrong every time: it says taken when it was taken. The loop's own branch adds 2 flushes.
@ proves: 0x52 both forms of a wrong direction count
@ proves: 0x10 each wrong direction is one flush
@ proves: 0x56 the cycles of a flush have no instruction to issue
@ proves: 0x11 what flushes cost, the clock shows
@ set: branch.history_bits = 0
@ let: N = 60
@ vary: COST branch.mispredict_cycles = 13, 20, 30
@ expect: BR_PRED = 2 * N
@ expect: BR_DIRECTION_MIS_PRED = (N - 1) + 1
@ expect: BR_MIS_PRED = N + 2
@ expect: BR_PREDICTED_TAKEN = N // 2 + N - 1
@ expect: BR_PREDICTABLE_TAKEN = N // 2 + N - 1
@ expect: PC_WRITE_RETIRED = N // 2 + N - 1
@ expect-change: ISSUE_EMPTY_CYCLES = (N + 2) * COST
@ expect-change: CPU_CYCLES = (N + 2) * COST
@ expect-change: BR_MIS_PRED = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   tst     r8, #1
        beq     1f
        nop
1:      repeat  r8
        finish
