@ The call is predicted; the return, by a register, never is: 4 cycles more.
@ kernel: call and return: of a function that adds one
@ machine: ixp425
@ set: branch.mispredict_cycles = 4
@ vary: N = 10, 60
@ expect-change: CPU_CYCLES = (5 + 4) * N
@ expect-change: INSTRUCTION = 5 * N
@ expect-change: BRANCH_MISS = 0
        .include "directed.inc"
_start: mov     r8, #N
loop:   subs    r8, r8, #1
        bl      function
        bne     loop
        finish
function:
        add     r0, r0, #1
        bx      lr
