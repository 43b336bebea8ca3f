@ Branches that are never taken never come into the branch target buffer, and are predicted so.
@ proves: 0x06 a branch that is not taken and not in the branch target buffer is predicted right
@ proves: 0x05 branches that change nothing count
@ vary: N = 10, 200
@ expect-change: BRANCH = 3 * N
@ expect-change: BRANCH_MISS = 0
@ expect-change: PC_CHANGED = N
        .include "directed.inc"
_start: mov     r8, #N
loop:   cmp     r8, #0
        beq     _start
        bleq    _start
        repeat  r8
        finish
