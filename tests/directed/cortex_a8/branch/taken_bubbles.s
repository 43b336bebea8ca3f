@ A predicted taken branch may cost fetch cycles. Of N times the loop's branch is predicted and
@ taken in all but the first, when it is new, and the last, when it is wrong.
@ proves: 0x56 fetch cycles lost behind a taken branch have nothing to issue
@ set: branch.history_bits = 0
@ let: N = 50
@ vary: BUBBLE branch.taken_bubble_cycles = 0, 1, 3
@ expect-change: ISSUE_EMPTY_CYCLES = (N - 2) * BUBBLE
@ expect-change: CPU_CYCLES = (N - 2) * BUBBLE
        .include "directed.inc"
_start: mov     r8, #N
loop:   repeat  r8
        finish
