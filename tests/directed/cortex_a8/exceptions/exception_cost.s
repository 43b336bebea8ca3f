@ N system calls that return and the exit, which does not.
@ proves: 0x56 an exception entry leaves nothing to issue
@ proves: 0x11 what exceptions cost, the clock shows
@ let: N = 12
@ vary: ENTRY exception.entry_cycles = 13, 40
@ expect-change: ISSUE_EMPTY_CYCLES = (N + 1) * ENTRY
@ expect-change: CPU_CYCLES = (N + 1) * ENTRY
        .include "directed.inc"
_start: mov     r7, #20
        .rept   N
        svc     #0
        .endr
        finish
